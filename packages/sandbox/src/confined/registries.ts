// Package registries that a confined command reaches by default, and those that npm, pip, cargo and go are configured to use.
// The one place for these names. Only hosts are taken from a configuration, never what stands beside them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const DEFAULT_REGISTRY_HOSTS: readonly string[] = [
  ...["registry.npmjs.org", "registry.yarnpkg.com", "npm.jsr.io", "jsr.io"],
  ...["pypi.org", "files.pythonhosted.org"],
  ...["crates.io", "index.crates.io", "static.crates.io"],
  ...["proxy.golang.org", "sum.golang.org"],
  ...["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org"],
  ...["rubygems.org", "index.rubygems.org"],
  ...["repo.packagist.org", "api.nuget.org", "hex.pm", "repo.hex.pm", "pub.dev"],
];

/** A registry that was configured: which variable tells a program inside, and its address without credentials. */
type Configured = { variable: string | null; url: string };

/** Read the configuration of this person and machine. */
export function configuredRegistries(
  home: string,
  env: NodeJS.ProcessEnv,
): { hosts: string[]; environment: Record<string, string> } {
  const found = [...npmRegistries(home, env), ...pipRegistries(home, env), ...goRegistries(env), ...cargoRegistries(home)];
  const hosts = new Set<string>();
  const environment: Record<string, string> = {};
  for (const { variable, url } of found) {
    const read = readAddress(url);
    if (read === null) continue;
    hosts.add(read.host);
    if (variable !== null) environment[variable] ??= read.plain;
  }
  return { hosts: [...hosts], environment };
}

function npmRegistries(home: string, env: NodeJS.ProcessEnv): Configured[] {
  const lines = [join(home, ".npmrc"), "/etc/npmrc", "/usr/etc/npmrc"].flatMap((path) => linesOf(path));
  const named = env.npm_config_registry ?? env.NPM_CONFIG_REGISTRY;
  return [
    ...(named === undefined ? [] : [{ variable: "npm_config_registry", url: named }]),
    ...lines.flatMap((line) => {
      const [, scope, url] = /^\s*(@[^:\s]+:)?registry\s*=\s*(\S+)\s*$/.exec(line) ?? [];
      return url === undefined ? [] : [{ variable: scope === undefined ? "npm_config_registry" : null, url }];
    }),
  ];
}

function pipRegistries(home: string, env: NodeJS.ProcessEnv): Configured[] {
  const files = [join(home, ".config", "pip", "pip.conf"), join(home, ".pip", "pip.conf"), "/etc/pip.conf"];
  const fromEnv = ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"].flatMap((variable) =>
    (env[variable] ?? "").split(/\s+/).flatMap((url) => (url === "" ? [] : [{ variable, url }])),
  );
  const fromFiles = files.flatMap(linesOf).flatMap((line) => {
    const [, extra, url] = /^\s*(extra-)?index-url\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    return url === undefined ? [] : [{ variable: extra === undefined ? "PIP_INDEX_URL" : "PIP_EXTRA_INDEX_URL", url }];
  });
  return [...fromEnv, ...fromFiles];
}

function goRegistries(env: NodeJS.ProcessEnv): Configured[] {
  return (env.GOPROXY ?? "")
    .split(/[,|]/)
    .filter((url) => url.includes("://"))
    .map((url) => ({ variable: null, url }));
}

function cargoRegistries(home: string): Configured[] {
  const files = ["config.toml", "config"].map((name) => join(home, ".cargo", name));
  return files.flatMap(linesOf).flatMap((line) => {
    const url = /^\s*(?:registry|index)\s*=\s*"(?:sparse\+)?(https?:[^"]+)"/.exec(line)?.[1];
    return url === undefined ? [] : [{ variable: null, url }];
  });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function readAddress(text: string): { host: string; plain: string } | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  url.username = "";
  url.password = "";
  return { host: url.host, plain: url.href };
}
