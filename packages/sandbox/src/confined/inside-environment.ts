// The variables that a confined command sees: named ones of the caller's, the project's caches, and the way to the proxy. No token
// comes along. Pure.
import { cacheEnvironment } from "./caches.ts";

const KEPT = [
  ...[
    "LANG",
    "LANGUAGE",
    "TERM",
    "TZ",
    "COLUMNS",
    "LINES",
    "USER",
    "LOGNAME",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLORTERM",
    "CI",
    "EDITOR",
  ],
  ...[
    "NODE_ENV",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "JAVA_HOME",
    "GOROOT",
    "GOFLAGS",
    "GOPROXY",
    "GOSUMDB",
    "GONOSUMDB",
    "GOTOOLCHAIN",
  ],
  ...[
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "PYTHONPATH",
    "PYENV_VERSION",
    "PYENV_ROOT",
    "NVM_DIR",
    "MAKEFLAGS",
  ],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CLAUDECODE", "DEBUG", "SHELL"],
];

export type EnvironmentFacts = {
  from: NodeJS.ProcessEnv;
  home: string;
  path: string;
  cache: string;
  proxyPort: number;
  registries: Readonly<Record<string, string>>;
  /** Settings of git that the hidden home holds: name and value. */
  git: readonly (readonly [string, string])[];
  gitWritable: boolean;
};

/** The variables inside. */
export function insideEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const { from, home, path, cache, proxyPort, registries, git, gitWritable } = facts;
  const kept = Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) =>
      value !== undefined && (KEPT.includes(name) || /^LC_[A-Z]+$/.test(name)) ? [[name, value]] : [],
    ),
  );
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const java = `-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=${proxyPort} -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=${proxyPort} -Dhttp.nonProxyHosts=localhost|127.*`;
  return {
    ...kept,
    ...registries,
    ...cacheEnvironment(cache),
    HOME: home,
    PATH: path,
    TMPDIR: "/tmp",
    PAGER: "cat",
    GIT_PAGER: "cat",
    HAP_CONFINED: "1",
    RUSTUP_HOME: from.RUSTUP_HOME ?? `${home}/.rustup`,
    ...Object.fromEntries(
      ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"].map((name) => [name, proxy]),
    ),
    NO_PROXY: "localhost,127.0.0.1,::1",
    no_proxy: "localhost,127.0.0.1,::1",
    NODE_USE_ENV_PROXY: "1",
    MAVEN_OPTS: java,
    GRADLE_OPTS: java,
    GIT_CONFIG_COUNT: String(git.length),
    ...Object.fromEntries(
      git.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    ...(gitWritable ? {} : { GIT_OPTIONAL_LOCKS: "0" }),
  };
}
