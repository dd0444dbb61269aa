// Closes what the host left open: through a descriptor of a folder outside, a command would reach everything there, whatever is mounted.

/** A text for bash that closes every descriptor but the standard ones and `keep`. `folder`: where they are listed. Pure. */
export function closeOthers(folder: "/proc/self/fd" | "/dev/fd", keep: number): string {
  const close = `case $hap_fd in 0|1|2|${keep}|*[!0-9]*) ;; *) eval "exec $hap_fd>&-";; esac`;
  return `for hap_fd in ${folder}/*; do hap_fd=\${hap_fd##*/}; ${close}; done; unset hap_fd`;
}
