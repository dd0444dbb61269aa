// Sending a reply: files first, so that they are there when the answer wakes the agent, then the answer or the words.
import { type Answer, type Conversation, isHapError, LIMITS, parseAnswer } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import type { AnswerProblem } from "../ticket/answer-form.tsx";
import { t } from "../words/words.ts";
import { answerInWords, type OpenQuestion, questionForWords } from "./reply.ts";

/** One draft of a conversation: words, files, and the options that are chosen in each question. */
export function useReply(conversation: Conversation | null, onSent: () => void) {
  const words = useSignal("");
  const files = useSignal<readonly File[]>([]);
  const chosen = useSignal<Record<string, readonly string[]>>({});
  const problems = useSignal<Record<string, AnswerProblem>>({});
  const busy = useSignal(false);
  const target = conversation === null ? null : questionForWords(conversation, me().person);

  const addFiles = (added: readonly File[]) => {
    const all = [...files.value, ...added];
    const large = all.find(({ size }) => size > LIMITS.attachmentBytes);
    if (large !== undefined)
      say(t("conversations.reply.tooLarge", { name: large.name, most: LIMITS.attachmentBytes / 1_000_000 }), { tone: "bad" });
    else if (all.length > LIMITS.attachmentsMax)
      say(t("conversations.reply.tooMany", { most: LIMITS.attachmentsMax }), { tone: "bad" });
    else files.value = all;
  };
  const send = async (work: () => Promise<unknown>) => {
    if (busy.value) return;
    busy.value = true;
    try {
      await work();
      words.value = "";
      files.value = [];
      onSent();
    } catch (error) {
      sayFailure(error);
    } finally {
      busy.value = false;
    }
  };
  const queue = async (agent: string, text: string) => {
    const attachments = await Promise.all(files.value.map(attachmentOf));
    await me().queue(agent, { ...(text === "" ? {} : { text }), ...(attachments.length === 0 ? {} : { attachments }) });
  };
  /** Answer a question; words in the box go along as a comment. What does not fit is said beside it, and nothing is sent. */
  const answer = (ticket: OpenQuestion, given: unknown, comment = words.value.trim()) => {
    let parsed: Answer;
    try {
      parsed = parseAnswer(ticket.ask, given);
    } catch (error) {
      problems.value = { ...problems.value, [ticket.id]: problemOf(error) };
      return;
    }
    const { [ticket.id]: _, ...others } = problems.value;
    problems.value = others;
    void send(async () => {
      if (files.value.length > 0) {
        await queue(ticket.from, "");
        files.value = [];
      }
      await me().answer(ticket.id, parsed, comment === "" ? {} : { comment });
    });
  };
  /** Send what is in the box: to the question that takes words, else for the next one. */
  const sendWords = (agent: string) => {
    const text = words.value.trim();
    if (text === "" && files.value.length === 0) return;
    if (target === null || text === "") return void send(() => queue(agent, text));
    answer(target, answerInWords(target.ask, text, chosen.value[target.id] ?? []), "");
  };
  return { words, files, chosen, problems, busy, target, addFiles, answer, sendWords };
}

export type Reply = ReturnType<typeof useReply>;

async function attachmentOf(file: File) {
  const data = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, ...(file.type === "" ? {} : { media_type: file.type }), data };
}

function problemOf(error: unknown): AnswerProblem {
  if (!isHapError(error)) throw error;
  const { key, problem } = error.fields;
  const text = typeof problem === "string" ? `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.` : error.message;
  return { key: typeof key === "string" ? key : null, text };
}
