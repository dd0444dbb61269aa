// Risk for people: two decimals as in the draft's 8.1, more where two would put it on the wrong side of a word.
import { riskWord } from "@hap/protocol";

export function riskNumber(risk: number): string {
  const rounded = risk.toFixed(2);
  return riskWord(Number(rounded)) === riskWord(risk) ? rounded : String(risk);
}
