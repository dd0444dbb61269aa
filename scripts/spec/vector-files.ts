// Every suite of vectors, and the files that they make.
import { printSuite, type Suite } from "./vector.ts";
import { answers } from "./vectors/answers.ts";
import { canonicalJsonSuite } from "./vectors/canonical-json.ts";
import { contents } from "./vectors/contents.ts";
import { cueme } from "./vectors/cueme.ts";
import { diffHash } from "./vectors/diff-hash.ts";
import { eventChain } from "./vectors/event-chain.ts";
import { grants } from "./vectors/grants.ts";
import { humanQuestion } from "./vectors/human-question.ts";
import { leaseClock } from "./vectors/lease-clock.ts";
import { presentation } from "./vectors/presentation.ts";
import { quorum } from "./vectors/quorum.ts";
import { riskAndTier } from "./vectors/risk-and-tier.ts";
import { signatures } from "./vectors/signatures.ts";
import { stateMachine } from "./vectors/state-machine.ts";
import { statement } from "./vectors/statement.ts";

export const suites: readonly Suite[] = [
  answers,
  canonicalJsonSuite,
  contents,
  cueme,
  diffHash,
  eventChain,
  grants,
  humanQuestion,
  leaseClock,
  presentation,
  quorum,
  riskAndTier,
  signatures,
  stateMachine,
  statement,
];

/** Every vector file, by its path under spec/vectors. */
export function vectorFiles(): Map<string, string> {
  return new Map(suites.map((suite) => [`${suite.name}.json`, printSuite(suite)]));
}
