// The page's own code inside the desktop app: it gets another way to its engine, and what the app tells it.
import { type AppSettings, type ChainState, startPage } from "@hap/web/start";
import { signal } from "@preact/signals";
import { Channel, invoke } from "@tauri-apps/api/core";
import { AppTransport } from "./app-transport.ts";
import { watchZoomKeys } from "./zoom-keys.ts";

type Message =
  | { type: "go"; path: string }
  | { type: "ready" }
  | { type: "chain"; chain: ChainState }
  | { type: "store"; problem: string | null };

const chain = signal<ChainState | null>(null);
const problem = signal<string | null>(null);

const page = startPage({
  transport: new AppTransport(),
  chain,
  problem,
  settings: () => invoke<AppSettings>("settings"),
  changeSettings: (to) => invoke<AppSettings>("change_settings", { to }),
});
watchZoomKeys();

const line = new Channel<Message>((message) => {
  switch (message.type) {
    case "go":
      return page.go(message.path);
    case "ready":
      return void page.refresh();
    case "chain":
      chain.value = message.chain;
      return;
    case "store":
      problem.value = message.problem;
      return;
  }
});
void invoke("attend", { line });
