// Closes descriptors that the host left open. Through one of a folder outside, a command would reach everything there, whatever is
// mounted; through another terminal's, it could type there. Node marks only the first ones to be closed by itself.

/** A text for bash that closes every descriptor but the standard ones and `keep`. `folder`: where they are listed. Pure. */
export function closeOthers(folder: "/proc/self/fd" | "/dev/fd", keep: number | null): string {
  const kept = ["0", "1", "2", ...(keep === null ? [] : [String(keep)]), "*[!0-9]*"].join("|");
  const close = `case $hap_fd in ${kept}) ;; *) eval "exec $hap_fd>&-";; esac`;
  return `for hap_fd in ${folder}/*; do hap_fd=\${hap_fd##*/}; ${close}; done; unset hap_fd`;
}

/**
 * A command that closes these descriptors and then becomes `command`. It belongs in front of the program that makes a sandbox: a process
 * of that program inside would otherwise keep them open, for everybody to see in /proc. Needs bash, as sh closes only the first ten.
 */
export function withoutDescriptors(command: readonly string[], keep: number | null): [file: string, ...args: string[]] {
  const script = `${closeOthers("/proc/self/fd", keep)}; exec "$@"`;
  return ["bash", "--norc", "--noprofile", "-c", script, "bash", ...command];
}
