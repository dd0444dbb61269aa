// What the model is told when the sandbox was in the way: what it refused, and the one next step. Pure.

/** Signs that a failure comes from the confinement, in what programs print. */
const SIGNS: readonly [RegExp, string][] = [
  [
    /read-only file system|EROFS/i,
    "it wrote to a path that is read-only here (git hooks and configuration, agent and editor settings, the system)",
  ],
  [
    /could not resolve host|temporary failure in name resolution|name or service not known|EAI_AGAIN|ENOTFOUND|network is unreachable|ENETUNREACH|no route to host/i,
    "it needs the network, of which only package registries can be reached",
  ],
  [
    /\.sock\b.*(?:no such file|ENOENT|refused)|cannot connect to the docker daemon|docker\.sock/i,
    "it needs a socket of the host",
  ],
];

const NEXT_STEP =
  "If the command needs that, make the same call again with dangerouslyDisableSandbox: true; a person is asked then.";

export type RefusalFacts = {
  code: number;
  /** Hosts that the proxy did not connect to. */
  refused: readonly string[];
  /** What the command printed, as far as it can be read again. */
  said: readonly string[];
};

/** The words, or null where nothing points to the sandbox. */
export function refusalWords({ code, refused, said }: RefusalFacts): string | null {
  const hosts = [...new Set(refused)].slice(0, 5);
  const reasons = [
    ...(hosts.length === 0 ? [] : [`it asked for ${hosts.join(", ")}, which it may not reach`]),
    ...(code === 0 ? [] : SIGNS.filter(([sign]) => said.some((text) => sign.test(text))).map(([, words]) => words)),
  ];
  if (reasons.length === 0) return null;
  return `HAP ran this command confined, and something was refused: ${reasons.join("; ")}. ${NEXT_STEP}`;
}
