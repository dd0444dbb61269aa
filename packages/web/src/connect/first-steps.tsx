// What an empty inbox offers: a sample ticket to decide, and the command that connects each kind of agent.
import { useEffect, useState } from "preact/hooks";
import { go, ticketPath } from "../router.ts";
import { useEvents } from "../state/changes.ts";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { ago } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { type Connection, type Connections, readConnections, WAYS, type Way } from "./connections.ts";

export function FirstSteps() {
  const [found, setFound] = useState<Connections | null>(null);
  const look = () => {
    // What is connected is not worth an error of its own.
    readConnections(me()).then(setFound, () => {});
  };
  useEffect(look, []);
  useEvents(look);
  return (
    <div class="first-steps">
      <p>
        <button type="button" onClick={() => void openSample()}>
          {t("connect.try")}
        </button>
      </p>
      <p class="quiet-words">{found?.woke ? t("connect.woke") : t("connect.tryAbout")}</p>
      <h2>{t("connect.title")}</h2>
      <ul class="ways">
        {WAYS.map((way) => (
          <WayRow key={way.name} way={way} connection={found?.ways[way.name] ?? null} />
        ))}
      </ul>
    </div>
  );
}

async function openSample(): Promise<void> {
  try {
    const { id } = await me().openSample();
    go(ticketPath(id));
  } catch (error) {
    sayFailure(error);
  }
}

function WayRow({ way, connection }: { way: Way; connection: Connection }) {
  const { name, command, always } = way;
  return (
    <li data-way={name}>
      <strong>{t(`connect.${name}`)}</strong>
      <CopyCommand command={command} />
      {always !== null && (
        <p class="quiet-words">
          {t("connect.always", { command: always })} · {t("connect.proof", { command: `hap doctor ${name}` })}
        </p>
      )}
      <p class={connection === null ? "quiet-words" : "connected"} role="status">
        {connectionWords(connection)}
      </p>
    </li>
  );
}

function connectionWords(connection: Connection): string {
  if (connection === null) return t("connect.no");
  return t(connection.canary ? "connect.canary" : "connect.yes", { ago: ago(Date.now() - Date.parse(connection.at)) });
}

function CopyCommand({ command }: { command: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(command).then(() => setCopied(true), sayFailure);
  return (
    <div class="copy-command">
      <code>{command}</code>
      <button type="button" class="quiet" aria-label={`${t("connect.copy")}: ${command}`} onClick={() => void copy()}>
        {copied ? t("connect.copied") : t("connect.copy")}
      </button>
    </div>
  );
}
