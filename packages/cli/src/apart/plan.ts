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
export type Sources = { node: string; command: string; page: string | null };

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
    ...(sources.page === null ? [] : [{ words: "copy the page there", copy: sources.page, to: join(program, "page") }]),
    {
      words: `write the command ${join(program, "hap")}, which runs it`,
      file: join(program, "hap"),
      mode: 0o755,
      text: `#!/bin/sh\nHAP_DB_PATH=${join(state, "hap.db")} HOME=${state} exec ${join(program, "node")} ${join(program, "command", "main.cjs")} "$@"\n`,
    },
    {
      words: `write the service ${join(units, "hap.service")}`,
      file: join(units, "hap.service"),
      mode: 0o644,
      text: unit(options),
    },
  ];
}

/** The service file, shut off from everything that the server does not need. */
function unit({ user, state, program, person, port }: ApartOptions): string {
  return `[Unit]
Description=HAP, the inbox where people decide for their agents
After=network.target

[Service]
User=${user}
Group=${user}
WorkingDirectory=${state}
Environment=HOME=${state} HAP_DB_PATH=${join(state, "hap.db")} HAP_HUMAN_ID=${person} HAP_TRUST=apart HAP_PAGE=${join(program, "page")}
ExecStart=${join(program, "node")} ${join(program, "command", "main.cjs")} serve --port ${port}
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
