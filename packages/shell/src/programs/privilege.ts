// Programs that change who may do what, or that need such power to do anything.
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { writePath } from "../grammar/touch-path.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";

const PRIVILEGED = [
  ...[
    "chown",
    "chgrp",
    "setcap",
    "setfacl",
    "chattr",
    "chflags",
    "visudo",
    "passwd",
    "chpasswd",
    "chsh",
    "chfn",
    "newgrp",
    "gpasswd",
  ],
  ...[
    "useradd",
    "usermod",
    "userdel",
    "adduser",
    "deluser",
    "groupadd",
    "groupmod",
    "groupdel",
    "dscl",
    "dseditgroup",
    "sysadminctl",
  ],
  ...[
    "mount",
    "umount",
    "insmod",
    "modprobe",
    "rmmod",
    "sysctl",
    "iptables",
    "ip6tables",
    "nft",
    "ufw",
    "pfctl",
    "csrutil",
    "spctl",
  ],
  ...["setenforce", "semanage", "auditctl", "update-alternatives", "bless", "nvram", "kextload", "swapon", "swapoff", "losetup"],
];

const handlePrivileged: Handler = ({ scan, program, args }) =>
  scan.note("privilege", `${program} changes rights or the system: ${show(args.map((arg) => arg.raw).join(" "))}`);

/** `u+s`, `+s`, `4755`, `g=rws`: a program that then runs with its owner's rights. */
const SETS_ID = /^(?:[ugoa]*[+=][rwxXt]*s|0?[2-7]\d{3}$)/;

function handleChmod({ scan, args }: Call): void {
  const [mode, ...rest] = args.filter((arg) => !/^--?[a-zA-Z]{2,}|^-[Rcfv]$/.test(arg.text));
  if (mode !== undefined && (mode.certainty !== "exact" || mode.text.split(",").some((part) => SETS_ID.test(part)))) {
    scan.note("privilege", `chmod ${show(mode.raw)} lets a file run with its owner's rights`);
  }
  for (const path of rest) writePath(scan, path, "chmod");
}

/** The options of sudo, doas, su and pkexec that take a value. */
const SWITCHES: Readonly<Record<string, string>> = {
  sudo: "u:g:h:p:C:r:t:T:U:R:D:",
  doas: "u:C:",
  pkexec: "",
  runuser: "u:g:G:",
  "su-exec": "",
  gosu: "",
};

/** Runs the rest as somebody else, and looks at the rest. */
function handleSwitch({ scan, program, args, stdin }: Call): void {
  scan.note("privilege", `${program} runs as another user`);
  const options = readOptions(args, SWITCHES[program] ?? "", ["user=", "group="], true);
  const start = options.operands.findIndex((word) => !/^\w+=/.test(word.text));
  const words = start < 0 ? [] : options.operands.slice(start);
  const command = program === "gosu" || program === "su-exec" ? words.slice(1) : words;
  if (command.length > 0) scan.runCall(command, stdin);
}

function handleSu({ scan, args, stdin }: Call): void {
  scan.note("privilege", "su runs as another user");
  for (const command of readOptions(args, "c:s:g:G:", ["command=", "shell="]).values("c", "command"))
    scan.runText(command.text, stdin);
}

/** Programs about rights. */
export const PRIVILEGE_HANDLERS: readonly (readonly [string, Handler])[] = [
  ...PRIVILEGED.map((name) => [name, handlePrivileged] as const),
  ...Object.keys(SWITCHES).map((name) => [name, handleSwitch] as const),
  ["su", handleSu],
  ["chmod", handleChmod],
];
