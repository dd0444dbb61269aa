// Which folders of the person's toolchains a confined command sees, read-only, so that the programs on the caller's PATH run.
// Folders that also hold credentials are shown in part: `.cargo/bin`, never `.cargo/credentials.toml`. Pure but for `exists`.
import { basename, dirname, join } from "node:path";

/** Toolchain folders below the home folder, by the folder on the PATH that gives them away. */
const IN_HOME: readonly { path: RegExp; show: readonly string[] }[] = [
  { path: /^\.cargo\/bin$/, show: [".cargo/bin", ".cargo/env", ".rustup"] },
  { path: /^\.pyenv\//, show: [".pyenv"] },
  { path: /^\.rbenv\//, show: [".rbenv"] },
  { path: /^\.nodenv\//, show: [".nodenv"] },
  { path: /^\.goenv\//, show: [".goenv"] },
  { path: /^\.nvm\//, show: [".nvm"] },
  {
    path: /^\.fnm|^\.local\/share\/fnm|^\.local\/state\/fnm/,
    show: [".fnm", ".local/share/fnm", ".local/state/fnm_multishells"],
  },
  { path: /^\.volta\//, show: [".volta"] },
  { path: /^\.bun\//, show: [".bun/bin"] },
  { path: /^\.deno\//, show: [".deno/bin"] },
  { path: /^\.asdf\//, show: [".asdf"] },
  { path: /^\.local\/share\/mise\/|^\.local\/bin$/, show: [".local/share/mise"] },
  { path: /^\.sdkman\//, show: [".sdkman"] },
  { path: /^\.ghcup\//, show: [".ghcup"] },
  { path: /^\.opam\//, show: [".opam"] },
  { path: /^\.elan\//, show: [".elan"] },
  { path: /^\.juliaup\//, show: [".juliaup", ".julia/juliaup"] },
  { path: /^\.dotnet/, show: [".dotnet"] },
  { path: /^\.local\/bin$/, show: [".local/bin", ".local/lib", ".local/share/uv", ".local/share/pipx", ".local/pipx"] },
];

/** Folders that belong to programs in `X/bin`. */
const BESIDE_BIN = ["lib", "lib64", "libexec", "share", "include"];

/** Never shown, whatever the PATH says: the folder itself, and whatever holds it. */
const PRIVATE = [".ssh", ".gnupg", ".aws", ".azure", ".config", ".docker", ".hap", ".claude", ".codex", ".kube", ".mozilla"];

export type ToolchainFacts = {
  home: string;
  /** The caller's PATH. */
  path: string;
  /** Folders that confined commands can write: nothing in them is a toolchain. */
  writable: readonly string[];
  exists: (path: string) => boolean;
};

/** The PATH inside, and the folders to show. */
export function findToolchains({ home, path, writable, exists }: ToolchainFacts): { path: string; show: string[] } {
  const folders = [...new Set(path.split(":"))].filter((folder) => folder.startsWith("/") && exists(folder));
  const show = new Set<string>();
  for (const folder of folders) {
    if (writable.some((root) => isWithin(folder, root)) || SYSTEM.some((root) => isWithin(folder, root))) continue;
    for (const place of placesOf(folder, home, exists)) if (exists(place) && isShowable(place, home)) show.add(place);
  }
  const shown = [...show].filter((place) => ![...show].some((other) => other !== place && isWithin(place, other)));
  return { path: folders.filter((folder) => mayBeSeen(folder, shown, writable)).join(":"), show: shown.sort() };
}

/** Shown already. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib"];

function placesOf(folder: string, home: string, exists: (path: string) => boolean): string[] {
  const inHome = isWithin(folder, home) ? folder.slice(home.length + 1) : null;
  const known = IN_HOME.filter((row) => inHome !== null && row.path.test(inHome)).flatMap((row) => row.show);
  if (known.length > 0) return known.map((name) => join(home, name));
  const above = dirname(folder);
  if (basename(folder) !== "bin" && basename(folder) !== "sbin") return [folder];
  // A virtual environment, or an installation with nothing else in it.
  if (exists(join(above, "pyvenv.cfg"))) return [above];
  return [folder, ...BESIDE_BIN.map((name) => join(above, name))];
}

function isShowable(place: string, home: string): boolean {
  if (place === "/" || isWithin(home, place)) return false;
  return !PRIVATE.some((name) => isWithin(place, join(home, name)) || isWithin(join(home, name), place));
}

function mayBeSeen(folder: string, shown: readonly string[], writable: readonly string[]): boolean {
  return [...SYSTEM, ...shown, ...writable].some((root) => isWithin(folder, root));
}

/** True when a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
