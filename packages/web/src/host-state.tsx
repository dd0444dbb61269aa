// What the desktop app says of the store beside the page: how far the log was verified, and what keeps it from being read.
import { type Host, host } from "./state/host.ts";
import { Icon } from "./ui/icons.tsx";
import { t } from "./words/words.ts";

/** In the sidebar: the state of the log's chain. */
export function ChainMark() {
  const app = host();
  return app === null ? null : <Mark app={app} />;
}

function Mark({ app }: { app: Host }) {
  const { value: chain } = app.chain;
  if (chain === null) return null;
  const words = {
    checking: () => t("shell.logChecking"),
    verified: () => t("shell.logVerified"),
    broken: () => t("shell.logBroken"),
  }[chain.status]();
  const more =
    chain.status === "broken"
      ? chain.violation.message
      : t(chain.status === "checking" ? "shell.logEventsSoFar" : "shell.logEvents", { count: chain.events });
  return (
    <span class={`trust chain chain-${chain.status}`} title={more} data-chain={chain.status}>
      <Icon name={chain.status === "broken" ? "warning" : "shield"} /> {words}
    </span>
  );
}

/** Above everything: what is wrong with the store. */
export function StoreBanner() {
  const app = host();
  return app === null ? null : <Banner app={app} />;
}

function Banner({ app }: { app: Host }) {
  const { value: chain } = app.chain;
  const words = app.problem.value ?? (chain?.status === "broken" ? chain.violation.message : null);
  if (words === null) return null;
  return (
    <div class="line-banner" role="alert">
      <Icon name="warning" /> {words}
    </div>
  );
}
