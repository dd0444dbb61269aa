// A question with options. The answer is typed by the question: a choice gives one of its options, or the person's own words.
import { connectAgent } from "@hap/sdk/agent";

const agent = await connectAgent({ agent: "agent:planner" });
const outcome = await agent.ask({
  summary: "Which region for the new cluster?",
  ask: { type: "choice", options: ["eu-west-1", "us-east-1"] },
});
console.log(outcome.status, outcome.status === "answered" ? outcome.text : outcome.words);
await agent.close();
