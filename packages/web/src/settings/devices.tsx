// Where the person is signed in, and a phone paired by a QR code: a one-time link, with a sign-in of its own that can be ended here.
import { useSignal } from "@preact/signals";
import { encode } from "uqr";
import { base } from "../router.ts";
import { now } from "../state/clock.ts";
import { install, installable } from "../state/install.ts";
import { server, signedOut, wordsOf } from "../state/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ago, countdown } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { useFetched } from "./use-fetched.ts";

const load = async () => (await server("signIns", {})).sign_ins;
type Pairing = { link: string; expiresAt: number };

/** An address that only this machine knows. */
const onlyHere = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

export function Devices() {
  const { value, failure, reload, change } = useFetched(load);
  const naming = useSignal(false);
  const pairing = useSignal<Pairing | null>(null);
  const close = () => {
    naming.value = false;
    pairing.value = null;
    reload();
  };
  return (
    <Card title={t("settings.devices.title")} about={t("settings.devices.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      <ul class="plain-list">
        {value?.map(({ id, name, kind, last_used_at, current }) => (
          <li class="list-row" key={id}>
            <span>
              <strong translate={name === null}>{name ?? t(`settings.devices.${kind}`)}</strong>{" "}
              <span class="quiet-words">
                {current
                  ? t("settings.devices.current")
                  : t("settings.devices.used", { ago: ago(now.value - Date.parse(last_used_at)) })}
              </span>
            </span>
            {!current && (
              <button type="button" class="quiet" onClick={() => void change(() => server("endSignIn", { id }))}>
                {t("settings.devices.end")}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="button-row">
        <button
          type="button"
          onClick={() => {
            naming.value = true;
          }}
        >
          {t("settings.devices.pair")}
        </button>
        {installable.value && (
          <button type="button" onClick={() => void install()}>
            {t("settings.devices.install")}
          </button>
        )}
      </div>
      {naming.value && (
        <Dialog title={t("settings.devices.pair")} onClose={close}>
          {pairing.value === null ? <NameForm pairing={pairing} onClose={close} /> : <Code {...pairing.value} onClose={close} />}
        </Dialog>
      )}
    </Card>
  );
}

function NameForm({ pairing, onClose }: { pairing: { value: Pairing | null }; onClose: () => void }) {
  const name = useSignal(t("settings.devices.phone"));
  const problem = useSignal<string | null>(null);
  const begin = async () => {
    try {
      const { secret, expires_at } = await server("beginPairing", { name: name.value.trim() });
      pairing.value = { link: `${location.origin}${base}/#pair=${secret}`, expiresAt: Date.parse(expires_at) };
    } catch (error) {
      if (!signedOut(error)) problem.value = wordsOf(error);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      {onlyHere() && <p class="warning">{t("settings.devices.onlyHere", { origin: location.origin })}</p>}
      <label class="field">
        <span>{t("settings.devices.name")}</span>
        <input
          data-first
          type="text"
          required
          maxLength={100}
          value={name.value}
          aria-invalid={problem.value !== null}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
        {problem.value !== null && (
          <span class="problem" role="alert">
            {problem.value}
          </span>
        )}
      </label>
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          {t("common.back")}
        </button>
        <button type="submit" class="primary" disabled={name.value.trim() === ""}>
          {t("settings.devices.show")}
        </button>
      </div>
    </form>
  );
}

function Code({ link, expiresAt, onClose }: Pairing & { onClose: () => void }) {
  const left = (expiresAt - now.value) / 1000;
  return (
    <>
      {left > 0 ? <QrCode text={link} /> : <p class="problem">{t("settings.devices.expired")}</p>}
      <p>{left > 0 && t("settings.devices.scan", { left: countdown(left) })}</p>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("settings.devices.done")}
        </button>
      </div>
    </>
  );
}

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("settings.devices.code")}>
      <path d={squares} />
    </svg>
  );
}
