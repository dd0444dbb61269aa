// Caches of package managers: a folder per project, never the person's own. A package that a confined command put into the
// person's cache would run outside with the next install.
import { join } from "node:path";

/** Variable -> folder below the project's cache, which is `~/.cache` inside. */
const CACHES: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: "",
  CARGO_HOME: "cargo",
  GOPATH: "go",
  GOCACHE: "go-build",
  GOMODCACHE: "go/pkg/mod",
  npm_config_cache: "npm",
  YARN_CACHE_FOLDER: "yarn",
  BUN_INSTALL_CACHE_DIR: "bun",
  DENO_DIR: "deno",
  PIP_CACHE_DIR: "pip",
  UV_CACHE_DIR: "uv",
  POETRY_CACHE_DIR: "poetry",
  PIPENV_CACHE_DIR: "pipenv",
  GRADLE_USER_HOME: "gradle",
  NUGET_PACKAGES: "nuget",
  COMPOSER_CACHE_DIR: "composer",
  BUNDLE_USER_HOME: "bundle",
  GEM_SPEC_CACHE: "gem",
};

/** The variables that point there, for a cache at this path. */
export function cacheEnvironment(cache: string): Record<string, string> {
  const folders = Object.entries(CACHES).map(([name, folder]) => [name, folder === "" ? cache : join(cache, folder)] as const);
  return { ...Object.fromEntries(folders), MAVEN_ARGS: `-Dmaven.repo.local=${join(cache, "maven")}` };
}
