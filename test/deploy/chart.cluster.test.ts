// The Helm chart and the systemd unit, checked by the programs that would load them. helm and kubeconform are built by Go.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repoRoot } from "../support/bundle-fixture.ts";
import { needProgram } from "../support/system-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const chart = join(repoRoot, "ops/helm/hap");
/** Built once on a machine: helm takes minutes. */
const tools = join(tmpdir(), "hap-test-tools");
const KUBERNETES = "1.31.0";
const TOOLS = {
  helm: "helm.sh/helm/v3/cmd/helm@v3.18.6",
  kubeconform: "github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7",
};

function run(program: string, args: string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", input });
  return { status, out: stdout, all: stdout + stderr };
}

const helm = (...args: string[]) => run(join(tools, "helm"), args);

beforeAll(() => {
  needProgram("go", "golang-go");
  mkdirSync(tools, { recursive: true });
  for (const [name, module] of Object.entries(TOOLS))
    if (!existsSync(join(tools, name)))
      execFileSync("go", ["install", module], { env: { ...process.env, GOBIN: tools }, stdio: "inherit" });
  writeSchemas();
}, 1_800_000);

type Definition = {
  properties?: Record<string, unknown>;
  format?: string;
  "x-kubernetes-group-version-kind"?: { group: string; version: string; kind: string }[];
};

/** One schema a kind, from the description that Kubernetes itself publishes. Unknown fields are refused. */
function writeSchemas(): void {
  const args = ["mod", "download", "-json", `k8s.io/kubernetes@v${KUBERNETES}`];
  const { Dir } = JSON.parse(execFileSync("go", args, { encoding: "utf8", cwd: folder })) as { Dir: string };
  const { definitions } = JSON.parse(readFileSync(join(Dir, "api/openapi-spec/swagger.json"), "utf8")) as {
    definitions: Record<string, Definition>;
  };
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => {
      if (definition.format === "int-or-string") return [name, { oneOf: [{ type: "string" }, { type: "integer" }] }];
      return [name, definition.properties === undefined ? definition : { ...definition, additionalProperties: false }];
    }),
  );
  for (const [name, definition] of Object.entries(definitions))
    for (const { group, version, kind } of definition["x-kubernetes-group-version-kind"] ?? []) {
      const file = `${[kind, ...(group === "" ? [] : [group.split(".")[0]]), version].join("-")}.json`.toLowerCase();
      if (!/^(deployment|service|statefulset|secret|ingress|poddisruptionbudget)-/.test(file)) continue;
      writeFileSync(join(folder, file), JSON.stringify({ $ref: `#/definitions/${name}`, definitions: strict }));
    }
}

/** Check a manifest against the schemas of Kubernetes. */
function validate(manifest: string) {
  const schema = join(folder, "{{ .ResourceKind }}{{ .KindSuffix }}.json");
  return run(join(tools, "kubeconform"), ["-strict", "-summary", "-schema-location", schema, "-"], manifest);
}

describe("the Helm chart", () => {
  const cases = readdirSync(join(chart, "ci"));

  it.each(cases)("[DEPLOY-HELM-1] is valid with %s: it lints, and Kubernetes knows every field", (file) => {
    const values = ["--kube-version", KUBERNETES, "--values", join(chart, "ci", file)];
    const linted = helm("lint", "--strict", chart, ...values);
    expect(linted.status, linted.all).toBe(0);
    const made = helm("template", "test", chart, ...values);
    expect(made.status, made.all).toBe(0);
    const checked = validate(made.out);
    expect(checked.status, checked.all).toBe(0);
    expect(checked.all).toContain("Invalid: 0, Errors: 0, Skipped: 0");
    // A field that does not exist is found.
    expect(validate(made.out.replace("replicas:", "replicaz:")).status).not.toBe(0);
  });

  it("[DEPLOY-HELM-1] says what is missing", () => {
    const made = (...set: string[]) => helm("template", "test", chart, "--kube-version", KUBERNETES, ...set);
    expect(made().all).toContain("publicUrl");
    expect(made("--set", "publicUrl=http://hap.example.org").all).toContain("publicUrl");
    expect(made("--set", "publicUrl=https://hap.example.org").all).toContain("Set database.existingSecret");
  });

  it("[DEPLOY-HELM-1] has the version of the project", () => {
    const { version } = JSON.parse(readFileSync(join(repoRoot, "package.json"), "utf8"));
    expect(parse(readFileSync(join(chart, "Chart.yaml"), "utf8"))).toMatchObject({ version, appVersion: version });
  });
});

it("[DEPLOY-UNIT-1] the systemd unit is valid, and lets the server do little", () => {
  needProgram("systemd-analyze", "systemd");
  const unit = join(folder, "hap.service");
  const text = readFileSync(join(repoRoot, "ops/systemd/hap.service"), "utf8");
  writeFileSync(unit, text.replaceAll("/usr/local/bin/hap", process.execPath));
  const verified = run("systemd-analyze", ["verify", unit]);
  expect(verified.all).toBe("");
  const exposure = run("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit]);
  expect(exposure.status, exposure.all).toBe(0);
});
