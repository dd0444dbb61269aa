// The verb table's rows for clusters and clouds, where changing anything counts as production unless a row says less.
import type { VerbTable } from "./verb-table.ts";

const DEPLOYS = "changes what runs in a cluster or a cloud";
const LOOKS = "looks at a remote service";
const HANDS_OUT = "hands out credentials";

const CHANGES =
  /(?:^|[ -])(?:create|delete|update|set|add|remove|rm|rb|mb|deploy|start|stop|reset|restart|reboot|apply|import|enable|disable|attach|detach|scale|run|invoke|put|patch|move|resize|terminate|purge|destroy|submit|publish|approve|cancel|grant|revoke|rotate|restore|modify|register|deregister|send|ssh|promote|rollback)(?:[ :-]|$)/;

/** Families of cloud tools. */
export const CLOUD_TABLES: readonly VerbTable[] = [
  {
    programs: ["kubectl", "oc", "k9s"],
    rows: [
      [/(?:get|describe) .*secrets?(?:[ /]|$)|view .*--raw|create token/, ["credentials", "network"], HANDS_OUT],
      [/(?:^| )(?:exec|attach|cp|debug|port-forward|proxy)(?: |$)/, ["production", "send_data"], "acts inside a cluster"],
      [
        /(?:^| )(?:apply|create|delete|replace|patch|edit|scale|rollout|drain|cordon|uncordon|taint|set|label|annotate|run|expose|autoscale|use-context)(?: |$)/,
        ["production"],
        DEPLOYS,
      ],
      [/(?:^| )(?:get|describe|logs|top|explain|version|api-resources|cluster-info|config)(?: |$)/, ["network"], LOOKS],
    ],
    else: ["production", "unknown"],
  },
  {
    programs: [
      ...[
        "terraform",
        "tofu",
        "terragrunt",
        "pulumi",
        "cdk",
        "serverless",
        "sls",
        "sam",
        "ansible",
        "ansible-playbook",
        "helm",
        "helmfile",
      ],
      ...["argocd", "flux", "packer", "salt", "knife", "puppet"],
    ],
    rows: [
      [/-auto-approve|--yes(?: |$)/, ["production"], DEPLOYS],
      [
        /^(?:-\S+ )*(?:fmt|validate|version|lint|template|synth|graph|providers|preview|plan|diff|list|ls|show|status|history|init|get)(?: |$)/,
        ["network", "unknown"],
        LOOKS,
      ],
    ],
    else: ["production"],
  },
  {
    programs: ["aws", "gcloud", "az", "doctl", "linode-cli", "ibmcloud", "oci", "aliyun", "eksctl", "flyctl", "fly", "heroku"],
    rows: [
      [
        /get-secret-value|get-parameter.*--with-decryption|print-(?:access|identity)-token|get-access-token|get-session-token|assume-role|get-login-password|configure get|auth token|config:get|secrets? (?:show|versions access)/,
        ["credentials", "network"],
        HANDS_OUT,
      ],
      [/(?:^| )(?:s3|storage) (?:cp|sync|mv) .*[^/ ] +(?:s3|gs):\/\/|blob upload/, ["send_data", "production"], "uploads files"],
      [/(?:^| )(?:s3|storage) (?:cp|sync) (?:-\S+ )*(?:s3|gs):\/\/\S+ (?!s3:|gs:)/, ["network", "unknown"], "downloads files"],
      [CHANGES, ["production"], DEPLOYS],
      [
        /(?:^| )(?:ls|list\S*|describe\S*|get\S*|show|head-\S+|help|version|whoami|logs?|ps|status|info)(?: |$)/,
        ["network"],
        LOOKS,
      ],
    ],
    else: ["production"],
  },
  {
    programs: [
      "vercel",
      "netlify",
      "wrangler",
      "firebase",
      "eb",
      "cap",
      "kamal",
      "nomad",
      "consul",
      "railway",
      "render",
      "surge",
      "now",
      "dokku",
      "deployctl",
    ],
    rows: [
      [/^(?:ls|list|logs|status|whoami|dev|build|inspect|help|--version)(?: (?!.*--prod)|$)/, ["network", "unknown"], LOOKS],
    ],
    else: ["production", "send_data"],
  },
];
