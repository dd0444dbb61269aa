// An OCI image without any registry: the single file on a base of the few Debian packages that it needs, made with mmdebstrap and
// packed with buildah. Runs as a user of its own, on a read-only root file system, with its store in /data.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, version } from "./stage.mjs";

const SUITE = "bookworm";
/** The C++ runtime of Node, certificates for calls to other servers, and time zones. */
const PACKAGES = ["libstdc++6", "ca-certificates", "tzdata"];
const USER = "10001";

/** Build the image as `hap.tar` (an OCI archive) in `out`, from the binary in `bin`. */
export function buildImage(out, bin, staging) {
  const binary = join(bin, "hap-linux-x64");
  if (!existsSync(binary)) throw new Error("The image holds the single file. Run `npm run artefacts -- bin oci`.");
  for (const program of ["mmdebstrap", "buildah"])
    if (!found(program))
      throw new Error(`The image needs ${program}. Run \`apt-get install mmdebstrap buildah\`, then this again.`);
  mkdirSync(out, { recursive: true });
  const base = join(staging, "base.tar");
  // Only what the packages unpack: no package manager, no shell.
  run("mmdebstrap", [
    "--quiet",
    "--variant=extract",
    `--include=${PACKAGES.join(",")}`,
    '--customize-hook=rm -rf "$1"/usr/share/doc "$1"/usr/share/man "$1"/usr/share/locale "$1"/var/lib/dpkg "$1"/var/cache',
    // A new volume takes its owner from here.
    `--customize-hook=install -d -m 700 -o ${USER} -g ${USER} "$1"/data`,
    '--customize-hook=cat "$1"/usr/share/ca-certificates/mozilla/*.crt > "$1"/etc/ssl/certs/ca-certificates.crt',
    SUITE,
    base,
  ]);
  const file = join(staging, "Containerfile");
  writeFileSync(file, containerfile());
  const context = join(staging, "image");
  mkdirSync(context, { recursive: true });
  run("cp", [binary, join(context, "hap")]);
  run("cp", [base, join(context, "base.tar")]);
  const storage = ["--storage-driver", "vfs", "--root", join(staging, "storage"), "--runroot", join(staging, "run")];
  run("buildah", [
    ...storage,
    "build",
    "--isolation",
    "chroot",
    "--format",
    "oci",
    "--squash",
    "-t",
    `hap:${version}`,
    "-f",
    file,
    context,
  ]);
  run("buildah", [...storage, "push", `hap:${version}`, `oci-archive:${join(out, "hap.tar")}:hap:${version}`]);
}

function containerfile() {
  return `FROM scratch
ADD base.tar /
COPY --chmod=755 hap /usr/local/bin/hap
${common()}`;
}

/** What the image without a registry and ops/Containerfile have in common. */
function common() {
  return `ENV HAP_DB_PATH=/data/hap.db HOME=/data
USER ${USER}:${USER}
WORKDIR /data
VOLUME /data
EXPOSE 4747
HEALTHCHECK CMD ["/usr/local/bin/hap", "health"]
ENTRYPOINT ["/usr/local/bin/hap"]
CMD ["serve", "--host", "0.0.0.0", "--allow-plain-http"]
`;
}

function found(program) {
  try {
    run("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}
