// Tools whose meaning lies in their verbs (`kubectl delete`, `npm publish`). Rows are tried in order over all words of the
// command line, the first that matches counts: rows that weigh more stand first, and rows that excuse are anchored to the front.
import type { VerbTable } from "./verb-table.ts";
import { CLOUD_TABLES } from "./verbs-cloud.ts";

const PUBLISHES = "publishes to a registry that others install from";
const HANDS_OUT = "hands out or stores credentials";
const FETCHES = "fetches packages and runs their scripts";
const CHANGES_SYSTEM = "changes what is installed on the system";
const DESTROYS = "destroys data";

const TOOL_TABLES: readonly VerbTable[] = [
  {
    programs: ["npm", "pnpm", "yarn", "lerna", "changeset", "nx", "turbo"],
    rows: [
      [/(?:^| )(?:publish|unpublish|deprecate|dist-tag|owner|access|release)(?: |$)/, ["production", "send_data"], PUBLISHES],
      [/(?:^| )(?:login|adduser|token|config (?:get|list|ls))(?: |$)/, ["credentials"], HANDS_OUT],
      [/(?:^| )(?:config set|set)(?: |$)/, ["gate_files"], "changes which registry and which shell are used"],
      [
        /^(?:-\S+ )*(?:i|install|ci|add|update|upgrade|up|dlx|exec|x|create|init)(?: |$)/,
        ["network", "unknown"],
        FETCHES,
        "registries",
      ],
      [
        /^(?:-\S+ )*(?:ls|list|outdated|view|info|audit|why|explain|ping)(?: |$)/,
        ["network", "unknown"],
        "looks at packages",
        "registries",
      ],
    ],
    else: ["unknown"],
  },
  { programs: ["npx", "pnpx", "bunx", "uvx"], rows: [], else: ["unknown"], registries: true, runsFirstWord: true },
  {
    programs: [
      ...[
        "pip",
        "pipx",
        "uv",
        "poetry",
        "twine",
        "cargo",
        "gem",
        "bundle",
        "composer",
        "go",
        "mvn",
        "gradle",
        "dotnet",
        "goreleaser",
        "vsce",
      ],
    ],
    rows: [
      [/(?:^| )(?:publish|upload|push|deploy|release|yank|owner)(?: |$)/, ["production", "send_data"], PUBLISHES],
      [/(?:^| )(?:login|token|config credentials)(?: |$)/, ["credentials"], HANDS_OUT],
      [
        /(?:^| )(?:install|add|update|upgrade|get|fetch|sync|restore|tap|-S|download|tidy|remove|uninstall|purge)(?: |$)/,
        ["network", "unknown"],
        FETCHES,
        "registries",
      ],
    ],
    else: ["unknown"],
    registries: true,
  },
  {
    programs: ["brew", "apt", "apt-get", "dnf", "yum", "pacman", "apk", "zypper", "snap", "port"],
    rows: [
      [/^(?:-\S+ )*(?:list|search|show|info|policy|--version)(?: |$)/, ["unknown"], "looks at the system's packages"],
      [/(?:^| )(?:install|add|update|upgrade|tap|-S|remove|uninstall|purge)(?: |$)/, ["network", "unknown"], CHANGES_SYSTEM],
    ],
    else: ["unknown"],
    need: "privilege",
  },
  {
    programs: ["docker", "podman", "nerdctl", "docker-compose", "buildah", "crictl"],
    rows: [
      [
        /--privileged|--pid[= ]host|--cap-add|--userns[= ]host|docker\.sock|-v \/:|--volume[= ]\/:|(?:source|src)=\/,/,
        ["privilege", "unknown"],
        "gives a container the machine's own rights",
      ],
      [/(?:^| )(?:--)?push(?: |$)/, ["production", "send_data"], PUBLISHES],
      [/(?:^| )login(?: |$)/, ["credentials"], HANDS_OUT],
      [
        /(?:^| )(?:prune|volume rm|down .*(?:-v|--volumes)|system reset)(?: |$)/,
        ["destroy_data"],
        "deletes volumes and what they hold",
      ],
    ],
    else: ["unknown"],
    need: "containers",
  },
  {
    programs: ["gh", "glab", "hub"],
    rows: [
      [/^(?:auth (?:token|login|refresh|setup-git)|secret|ssh-key|gpg-key)(?: |$)/, ["credentials", "network"], HANDS_OUT],
      [
        /^(?:repo (?:delete|archive|rename)|release delete|pr merge|mr merge|run delete|cache delete)/,
        ["irreversible_vcs", "send_data"],
        "changes a shared repository for good",
      ],
      [/^(?:workflow run|release create)/, ["production", "send_data"], "starts a release or a deployment"],
      [/^(?:search|browse|status|\S+ (?:list|view|status|diff|checks|watch))(?: |$)/, ["network"], "looks at a remote service"],
      [/^api (?!.*(?: -X| --method| -f| -F| --field| --raw-field| --input|graphql))/, ["network"], "looks at a remote service"],
      [/^\S+ (?:checkout|clone|download)(?: |$)/, ["network", "write_inside"], "fetches from a remote service"],
    ],
    else: ["send_data"],
  },
  {
    programs: [
      "gpg",
      "gpg2",
      "pass",
      "op",
      "bw",
      "vault",
      "security",
      "secret-tool",
      "keyring",
      "doppler",
      "infisical",
      "sops",
      "age",
      "ssh-add",
      "chamber",
      "lpass",
    ],
    rows: [[/^(?:--verify|--list-keys|--version|-k|-l)(?: |$)/, ["unknown"], "looks at public keys"]],
    else: ["credentials"],
  },
  { programs: ["dropdb", "dropuser"], rows: [], else: ["destroy_data"] },
  {
    programs: [
      "rails",
      "rake",
      "prisma",
      "alembic",
      "flyway",
      "liquibase",
      "sequelize",
      "knex",
      "typeorm",
      "artisan",
      "mysqladmin",
      "pg_restore",
      "redis-cli",
      "etcdctl",
    ],
    rows: [
      [
        /(?:^|[ :])(?:drop\S*|reset|fresh|wipe|purge|truncate\S*|downgrade|rollback|undo\S*|revert|clean|flushall|flushdb|del|unlink)(?:[ :]|$)/i,
        ["destroy_data"],
        DESTROYS,
      ],
      [/--(?:clean|force-reset|accept-data-loss)/, ["destroy_data"], DESTROYS],
    ],
    else: ["unknown"],
  },
];

/** Every family. */
export const VERB_TABLES: readonly VerbTable[] = [...TOOL_TABLES, ...CLOUD_TABLES];
