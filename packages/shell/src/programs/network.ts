// Programs that talk to other machines. Data that leaves is `send_data`; a plain fetch is `network`; this machine is not "out".
import { type Argument, exactly } from "../grammar/argument.ts";
import { isProduction } from "../grammar/production-words.ts";
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { deletePath, noteSecret, readPath, writePath } from "../grammar/touch-path.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";

const words = (text: string): readonly string[] => text.split(" ");

const SENDS = words("nc ncat netcat socat telnet ftp lftp tftp sftp mail mailx sendmail mutt msmtp swaks");
const TUNNELS = words("ngrok cloudflared localtunnel lt bore croc wormhole magic-wormhole rclone s3cmd gsutil azcopy mc");
const ASKS = words("ping traceroute tracepath mtr dig nslookup host whois nmap http https xh aria2c yt-dlp ssh-keyscan");

const CURL_LETTERS = "D:d:F:T:X:H:o:u:b:c:e:A:K:x:m:w:r:E:U:C:Y:y:z:Q:P:t:";
const CURL_LONG = words(
  "data= data-raw= data-binary= data-urlencode= data-ascii= json= form= form-string= upload-file= request= header= output= user= cookie= cookie-jar= config= proxy= max-time= unix-socket= cert= key= cacert= netrc-file= output-dir= referer= user-agent= write-out= retry= connect-timeout= resolve= oauth2-bearer= url= dump-header= trace= trace-ascii= stderr=",
);
const CURL_DATA = words("d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file");
const CURL_WRITES = words("o output D dump-header c cookie-jar trace trace-ascii stderr output-dir");
const CHANGES = /^(?:POST|PUT|PATCH|DELETE)$/i;
const HERE = /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?:[:/?]|$)/i;

function handleCurl({ scan, args, program }: Call): void {
  const options = readOptions(args, CURL_LETTERS, CURL_LONG);
  const urls = [...options.operands, ...options.values("url")];
  const stays =
    urls.length > 0 &&
    urls.every((url) => HERE.test(url.text) && !url.text.includes("@")) &&
    !options.has("x", "proxy", "resolve", "connect-to");
  const sends =
    options.has(...CURL_DATA) ||
    options.values("X", "request").some((method) => method.certainty !== "exact" || CHANGES.test(method.text));
  const hidden = args.find((arg) => arg.certainty === "dynamic");
  if (!stays && (sends || hidden !== undefined))
    scan.note("send_data", `${program} sends ${sends ? "data" : `what ${show(hidden?.raw ?? "")} holds`} to ${showAll(urls)}`);
  // The loopback of a confined session is its own: there only its own servers listen.
  else scan.note("network", `${program} asks ${showAll(urls)}`, stays ? null : undefined);
  for (const data of options.values(...CURL_DATA)) noteUpload({ scan, program }, data);
  for (const file of options.values("T", "upload-file")) readPath(scan, file, program);
  for (const file of options.values(...CURL_WRITES)) writePath(scan, file, program);
  if (options.has("O", "remote-name", "remote-name-all")) for (const url of urls) writePath(scan, nameOf(url), program);
  for (const url of urls)
    if (/^file:/i.test(url.text)) readPath(scan, { ...url, text: url.text.replace(/^file:(?:\/\/)?/i, "") }, program);
  if (options.has("u", "user", "b", "cookie", "n", "netrc", "netrc-file", "E", "cert", "oauth2-bearer"))
    scan.note("credentials", `${program} uses credentials`);
  for (const file of options.values("b", "cookie", "E", "cert", "key", "netrc-file")) noteSecret(scan, file, program);
  if (options.has("K", "config")) scan.note("opaque", `${program} takes its options from a file`);
  if (options.has("unix-socket")) scan.note("privilege", `${program} speaks to a local service through its socket`);
  noteHosts({ scan, program }, urls);
}

/** `-d @file`, `-F name=@file`, `-T file`. */
function noteUpload({ scan, program }: Pick<Call, "scan" | "program">, data: Argument): void {
  const file = /(?:^|=)[@<]([^;]+)/.exec(data.text)?.[1];
  if (file !== undefined && file !== "-") readPath(scan, { ...data, text: file, raw: file }, program);
  else noteSecret(scan, data, program);
}

const WGET_LONG = words(
  "post-data= post-file= method= body-data= body-file= output-document= directory-prefix= header= user= password=",
);

function handleWget({ scan, args, program }: Call): void {
  const options = readOptions(args, "O:P:o:i:e:U:a:t:T:", WGET_LONG);
  const urls = options.operands;
  const sends =
    options.has("post-data", "post-file", "body-data", "body-file") ||
    options.values("method").some((method) => CHANGES.test(method.text));
  const hidden = args.some((arg) => arg.certainty === "dynamic");
  scan.note(
    sends || hidden ? "send_data" : "network",
    `${program} ${sends || hidden ? "sends data to" : "asks"} ${showAll(urls)}`,
  );
  for (const file of options.values("post-file", "body-file")) readPath(scan, file, program);
  const named = options.values("O", "output-document");
  for (const file of named.length > 0 ? named : urls.map(nameOf)) if (file.text !== "-") writePath(scan, file, program);
  if (options.has("user", "password")) scan.note("credentials", `${program} uses credentials`);
  if (options.has("e", "execute", "config", "use-askpass", "i", "input-file")) {
    scan.note("opaque", `${program} takes addresses or settings that are not shown`);
  }
  noteHosts({ scan, program }, urls);
}

/** The file in the current folder that a URL is saved as. */
function nameOf(url: Argument): Argument {
  const name =
    url.text
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ?? "";
  return url.certainty === "dynamic" ? url : exactly(name === "" ? "index.html" : name);
}

const REMOTE = /^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)|^(?:rsync|sftp|scp|ssh):\/\//;

/** `scp` and `rsync`: whichever side is the other machine. */
function handleCopy({ scan, args, program, stdin }: Call): void {
  const options = readOptions(args, "e:P:i:o:F:c:l:J:S:f:", [
    "rsh=",
    "exclude=",
    "include=",
    "files-from=",
    "password-file=",
    "rsync-path=",
  ]);
  const target = options.operands.at(-1);
  const sources = options.operands.slice(0, -1);
  for (const shell of options.values("e", "rsh", "rsync-path")) scan.runText(shell.text, stdin);
  for (const source of sources) {
    if (!REMOTE.test(source.text)) readPath(scan, source, program);
    else scan.note("network", `${program} fetches ${show(source.raw)}`);
  }
  if (target === undefined) return;
  if (REMOTE.test(target.text) || target.certainty === "dynamic")
    scan.note("send_data", `${program} sends to ${show(target.raw)}`);
  else writePath(scan, target, program);
  if (options.has("delete", "delete-after", "delete-before", "remove-source-files"))
    deletePath(scan, REMOTE.test(target.text) ? { ...target, certainty: "dynamic" } : target, program);
  noteHosts({ scan, program }, options.operands);
}

/** `ssh host command`: what runs there is not looked at, but its host is. */
function handleSsh({ scan, args, program, stdin }: Call): void {
  const options = readOptions(args, "b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:", [], true);
  const [host, ...command] = options.operands;
  for (const option of options.values("o")) {
    const run = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(option.text)?.[1];
    if (run !== undefined) scan.runText(run, stdin);
  }
  const sends = command.length > 0 || stdin.kind !== "inherited" || options.has("R", "L", "D", "W");
  scan.note(
    sends ? "send_data" : "network",
    `${program} ${sends ? "acts on" : "opens"} ${show(host?.raw ?? "a host")}: ${showAll(command)}`,
  );
  if (host !== undefined) noteHosts({ scan, program }, [host]);
}

/** `openssl s_client` is a line out; the rest is arithmetic on files. */
const handleOpenssl: Handler = ({ scan, args }) => {
  if (/^s_(?:client|server)$/.test(args[0]?.text ?? "")) scan.note("send_data", "openssl opens a connection");
  for (const arg of args) noteSecret(scan, arg, "openssl");
  scan.note("unknown", "openssl works on keys and files");
};

function noteHosts({ scan, program }: Pick<Call, "scan" | "program">, hosts: readonly Argument[]): void {
  const host = hosts.find((candidate) => isProduction(candidate.text.replace(/^\w+:\/\//, "").split("/")[0] ?? ""));
  if (host !== undefined) scan.note("production", `${program} reaches ${show(host.raw)}`);
}

function showAll(args: readonly Argument[]): string {
  return show(args.map((arg) => arg.raw).join(" "));
}

const handleSend: Handler = ({ scan, program, args }) => {
  for (const arg of args) noteSecret(scan, arg, program);
  scan.note("send_data", `${program} can send data to ${showAll(args)}`);
};

/** A name that is looked up can carry data too, when it is put together at run time. */
const handleAsk: Handler = ({ scan, program, args }) =>
  scan.note(
    args.some((arg) => arg.certainty === "dynamic") ? "send_data" : "network",
    `${program} asks the network about ${showAll(args)}`,
  );

/** Programs that talk to other machines. */
export const NETWORK_HANDLERS: readonly (readonly [string, Handler])[] = [
  ...[...SENDS, ...TUNNELS].map((name) => [name, handleSend] as const),
  ...ASKS.map((name) => [name, handleAsk] as const),
  ["curl", handleCurl],
  ["wget", handleWget],
  ["scp", handleCopy],
  ["rsync", handleCopy],
  ["ssh", handleSsh],
  ["mosh", handleSsh],
  ["openssl", handleOpenssl],
];
