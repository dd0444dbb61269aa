// What a trust class is worth, said plainly wherever a decision is shown (D1).
import type { TrustClass } from "@hap/protocol";

const meaning: Record<TrustClass, string> = {
  open: "a guard rail: it stops mistakes, not a hostile program that runs as your user",
  apart: "the store belongs to another user of this machine",
  remote: "the store is on another machine",
};

export function trustWords(trust: TrustClass): string {
  return `Trust: ${trust} (${meaning[trust]})`;
}
