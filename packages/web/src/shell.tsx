// The frame around every place: where one can go, whether the line is up, and what was just said.
import { keyLabel, type TrustClass } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Help } from "./help.tsx";
import { ChainMark, StoreBanner } from "./host-state.tsx";
import { waiting } from "./inbox/totals.ts";
import { PairedBanner } from "./paired-banner.tsx";
import { at, type Place, path, readPlace } from "./router.ts";
import { Mark } from "./sign-in.tsx";
import { now } from "./state/clock.ts";
import { heldYes } from "./state/held-yes.ts";
import { line, lostAt } from "./state/live.ts";
import { violation, watchHealth } from "./state/log-health.ts";
import { me } from "./state/session.ts";
import { toasts } from "./state/toasts.ts";
import { ago, shortName } from "./ui/format.ts";
import { Icon, type IconName } from "./ui/icons.tsx";
import { useKeys } from "./ui/keys.ts";
import { number, t } from "./words/words.ts";

const places: readonly { href: string; label: string; icon: IconName; names: readonly Place["name"][] }[] = [
  { href: at("/"), label: t("common.inbox"), icon: "inbox", names: ["inbox", "ticket"] },
  { href: at("/conversations"), label: t("common.conversations"), icon: "talk", names: ["conversations"] },
  { href: at("/insights"), label: t("common.insights"), icon: "chart", names: ["insights"] },
  { href: at("/settings"), label: t("common.settings"), icon: "gear", names: ["settings"] },
];

const trustWords: Record<TrustClass, { word: string; more: string }> = {
  open: {
    word: t("shell.trust.open"),
    more: t("shell.trust.openAbout"),
  },
  apart: { word: t("shell.trust.apart"), more: t("shell.trust.apartAbout") },
  remote: { word: "remote", more: t("shell.trust.remoteAbout") },
};

export function Shell({ children }: { children: ComponentChildren }) {
  const help = useSignal(false);
  const { name } = readPlace(path.value);
  useEffect(watchHealth, []);
  useKeys({
    help: () => {
      help.value = true;
    },
    undo: () => void heldYes.value?.undo(),
  });
  const { trust, person } = me();
  const count = waiting.value;
  return (
    <div class={`shell at-${name}`}>
      <nav class="sidebar" aria-label={t("shell.places")}>
        <a class="brand" href={at("/")} aria-label={t("shell.home")}>
          <Mark />
          <span>{t("common.product")}</span>
        </a>
        {places.map(({ href, label, icon, names }) => (
          <a key={href} href={href} class="place" aria-current={names.includes(name) ? "page" : undefined}>
            <Icon name={icon} />
            <span class="place-label">{label}</span>
            {icon === "inbox" && count > 0 && (
              <span class="badge">
                {number(count)}
                <span class="unseen"> {t("common.waiting")}</span>
              </span>
            )}
          </a>
        ))}
        <div class="sidebar-end">
          <ChainMark />
          <span class="trust" title={trustWords[trust].more}>
            <Icon name="shield" /> {trustWords[trust].word}
          </span>
          <span class="who" translate={false}>
            {shortName(person)}
          </span>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              help.value = true;
            }}
          >
            {t("common.keys")} <kbd>{keyLabel("help")}</kbd>
          </button>
        </div>
      </nav>
      <main class="place-pane">
        <StoreBanner />
        <LineBanner />
        <ReadOnlyBanner />
        <PairedBanner />
        <div class="place-body">{children}</div>
      </main>
      <Toasts />
      {help.value && (
        <Help
          onClose={() => {
            help.value = false;
          }}
        />
      )}
    </div>
  );
}

function LineBanner() {
  if (line.value !== "lost") return <div class="unseen" role="status" />;
  return (
    <div class="line-banner" role="status">
      <Icon name="warning" />{" "}
      <span class="banner-words">
        {t("shell.connectionLost", { value: lostAt.value === null ? "" : ago(now.value - lostAt.value) })}
      </span>
    </div>
  );
}

/** The log does not verify: nothing can be decided, wherever one looks. */
function ReadOnlyBanner() {
  if (violation.value === null) return null;
  return (
    <div class="line-banner" role="alert">
      <Icon name="warning" /> {t("shell.readOnly")} <span translate={false}>{violation.value}</span>
    </div>
  );
}

function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone, action }) => (
        <div class={`toast toast-${tone}`} key={id}>
          <span>{text}</span>
          {action !== undefined && (
            <button type="button" class="quiet" onClick={action.run}>
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
