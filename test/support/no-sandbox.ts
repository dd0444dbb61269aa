// Machines on which nothing can be confined, for one process tree only: words to put before a command.

const OWN_MOUNTS = ["unshare", "--user", "--map-root-user", "--mount"];

/** As in a container without the right to make namespaces: their number is limited to none. */
export const WITHOUT_NAMESPACES: readonly string[] = [
  ...[...OWN_MOUNTS, "--pid", "--fork", "sh", "-c"],
  'mount -t proc proc /proc && echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

/** As where a program of the system is not installed: an empty file that cannot run is in its place. */
export function withoutProgram(path: string): readonly string[] {
  return [...OWN_MOUNTS, "sh", "-c", 'mount --bind /dev/null "$0" && exec "$@"', path];
}
