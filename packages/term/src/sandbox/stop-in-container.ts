// Ends what has the shell's terminal in a container. Its processes are not ours to signal, so a script in there does it; bash is
// the one program that every image here has.
import { CONTROL_INSIDE } from "./join-namespaces.ts";

/** The script: `command` ends what the shell runs in the foreground, `shell` the shell itself. */
export function stopScript(what: "command" | "shell"): string {
  return `
numbers() { # of a process: its parent, its group, and the group that has its terminal
  local line; read -r line 2>/dev/null <"/proc/$1/stat" || return 1
  set -- \${line##*) }; parent=$2 group=$3 front=$6
}
for folder in /proc/[0-9]*; do
  { read -r -d '' _; read -r -d '' script; } 2>/dev/null <"$folder/cmdline"
  [ "$script" = ${CONTROL_INSIDE}/init ] || continue
  init=\${folder#/proc/}
  for child in /proc/[0-9]*; do
    shell=\${child#/proc/}
    numbers "$shell" && [ "$parent" = "$init" ] || continue
    if [ ${what} = shell ]; then kill -KILL "$shell"
    elif [ "$front" != "$group" ]; then kill -KILL -- "-$front"
    fi
  done
done`;
}
