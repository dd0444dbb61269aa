// What `hap serve --apart` does to a machine (D1): a system user, folders that only it writes, a copy of the program that
// only root writes, and a service. A plan of plain steps, so that it can be shown before anything happens.
import { join } from "node:path";

export type ApartOptions = {
  /** The system user that the server runs as. */
  user: string;
  /** Where the store lies. */
  state: string;
  /** Where the program is copied to: what an agent could rewrite must not run as that user. */
  program: string;
  /** Where the service file goes. */
  units: string;
  person: string;
  port: number;
};

export const APART_DEFAULTS = {
  user: "hap",
  state: "/var/lib/hap",
  program: "/usr/local/lib/hap",
  units: "/etc/systemd/system",
} as const;

/** One step: in words for the person, and as what is done. */
export type Step = { words: string } & (
  | { run: string[] }
  | { folder: string; owner: string; mode: number }
  | { copy: string; to: string }
  | { file: string; text: string; mode: number }
);

/** The program as it is here: the Node that runs it, the bundled command, and the page. */
export type Sources = { node: string; command: string; page: string };

/** How somebody who may become that user runs the program on the server's store. */
export function apartCommand({ user, program }: Pick<ApartOptions, "user" | "program">): string {
  return `sudo -u ${user} ${shellWord(join(program, "hap"))}`;
}

/** Everything that is done, in order. */
export function apartPlan(options: ApartOptions, sources: Sources, userExists: boolean): Step[] {
  const { user, state, program, units } = options;
  return [
    ...(userExists
      ? []
      : [
          {
            words: `add the system user ${user}, who cannot log in`,
            run: [
              "useradd",
              "--system",
              "--user-group",
              "--home-dir",
              state,
              "--no-create-home",
              "--shell",
              "/usr/sbin/nologin",
              user,
            ],
          },
        ]),
    { words: `make ${state}, which ${user} alone reads and writes`, folder: state, owner: user, mode: 0o700 },
    { words: `make ${program}, which root alone writes`, folder: program, owner: "root", mode: 0o755 },
    { words: "copy Node there", copy: sources.node, to: join(program, "node") },
    { words: "copy the command there", copy: sources.command, to: join(program, "command") },
    { words: "copy the page there", copy: sources.page, to: join(program, "page") },
    {
      words: `write the command ${join(program, "hap")}, which runs it`,
      file: join(program, "hap"),
      mode: 0o755,
      text: wrapper(options),
    },
    {
      words: `write the service ${join(units, "hap.service")}`,
      file: join(units, "hap.service"),
      mode: 0o644,
      text: unit(options),
    },
  ];
}

/** What the program is told, whether the service or a person starts it: the store, whose it is, and where the page lies. */
function environment(options: ApartOptions): Record<string, string> {
  const { state, program, person } = options;
  return {
    HOME: state,
    HAP_DB_PATH: join(state, "hap.db"),
    HAP_HUMAN_ID: person,
    HAP_TRUST: "apart",
    HAP_PAGE: join(program, "page"),
    HAP_COMMAND: apartCommand(options),
  };
}

/** A word as a shell reads it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The command for people. It becomes the server's user first, which root can and others need sudo for, and passes on nothing of the
 * caller's environment but the terminal and the language: NODE_OPTIONS of somebody else must not run as that user.
 */
function wrapper(options: ApartOptions): string {
  const { user, program } = options;
  const set = Object.entries(environment(options)).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `#!/bin/sh
if [ "$(id -u)" != "$(id -u ${user})" ]; then
  [ "$(id -u)" = 0 ] && exec runuser -u ${user} -- "$0" "$@"
  exec sudo -u ${user} -- "$0" "$@"
fi
exec env -i PATH=/usr/bin:/bin TERM="\${TERM:-dumb}" LANG="\${LANG:-C.UTF-8}" ${set.join(" ")} \\
  ${shellWord(join(program, "node"))} ${shellWord(join(program, "command", "main.cjs"))} "$@"
`;
}

/** The service file, shut off from everything that the server does not need. */
function unit(options: ApartOptions): string {
  const { user, state, program, port } = options;
  const set = Object.entries(environment(options)).map(([name, value]) => `"${name}=${value}"`);
  return `[Unit]
Description=HAP, the inbox where people decide for their agents
After=network.target

[Service]
User=${user}
Group=${user}
WorkingDirectory=${state}
Environment=${set.join(" ")}
ExecStart="${join(program, "node")}" "${join(program, "command", "main.cjs")}" serve --port ${port}
Restart=on-failure
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
ReadWritePaths=${state}

[Install]
WantedBy=multi-user.target
`;
}
