// What `hap doctor` tries inside the Seatbelt profile before the gate relies on it. Each attempt is a text for bash in a project that has
// `.git`, `.claude`, `.husky` and `packages/app/.envrc`; `$OUTSIDE` is a folder outside, with the file `secret`. Pure data.

export type EscapeAttempt = {
  name: string;
  script: string;
  /** How success shows: a path (relative to the project, or below $OUTSIDE) that changed or appeared, or the word ESCAPED. */
  changes?: string;
};

const into = (path: string) => ({ script: `echo evil >> ${path}`, changes: path });

/** Attempts; every one of them must fail. */
export const ESCAPE_ATTEMPTS: readonly EscapeAttempt[] = [
  { name: "write git's configuration", ...into(".git/config") },
  { name: "write git's configuration in another case", script: "echo evil >> .GIT/Config", changes: ".git/config" },
  { name: "make a git hook", ...into(".git/hooks/pre-commit") },
  { name: "rename the git folder", script: "mv .git g2", changes: "g2" },
  { name: "replace git's configuration", script: "echo evil > c; mv -f c .git/config", changes: ".git/config" },
  { name: "link git's configuration", script: "ln .git/config c && echo evil >> c", changes: ".git/config" },
  { name: "write through a symbolic link", script: "ln -s .git/config l; echo evil >> l", changes: ".git/config" },
  { name: "lead git elsewhere", ...into(".git/commondir") },
  { name: "write an agent's settings", ...into(".claude/settings.json") },
  { name: "make an agent's settings", ...into(".codex") },
  { name: "make HAP's policy", script: "mkdir .hap; echo evil > .hap/policy.json", changes: ".hap" },
  { name: "make an MCP file", ...into(".mcp.json") },
  { name: "write a hook manager's hook", ...into(".husky/pre-push") },
  { name: "make a hook manager's file", ...into("lefthook.yml") },
  { name: "write .envrc", ...into("packages/app/.envrc") },
  {
    name: "rename a folder above .envrc, and write it",
    script: "mv packages p2; echo evil >> p2/app/.envrc",
    changes: "p2/app/.envrc",
  },
  { name: "make editor tasks", script: "mkdir .vscode; echo evil > .vscode/tasks.json", changes: ".vscode/tasks.json" },
  { name: "copy a folder of settings", script: "mkdir x; echo evil > x/y; mv x .idea", changes: ".idea" },
  { name: "remove the settings", script: "rm -rf .claude", changes: ".claude/settings.json" },
  { name: "change the settings' mode", script: "chmod 777 .claude/settings.json && echo ESCAPED" },
  { name: "write outside the project", ...into("$OUTSIDE/new") },
  { name: "read outside the project", script: 'grep -q secret "$OUTSIDE/secret" && echo ESCAPED' },
  { name: "list the folder outside", script: 'ls "$OUTSIDE" | grep -q secret && echo ESCAPED' },
  { name: "write to /tmp", script: "echo x > /tmp/hap-escape-$$ && rm /tmp/hap-escape-$$ && echo ESCAPED" },
  { name: "read the home folder", script: "ls ~root /Users/*/Library 2>/dev/null | grep -q . && echo ESCAPED" },
  { name: "reach a port of this machine", script: "(exec 3<>/dev/tcp/127.0.0.1/$PORT) 2>/dev/null && echo ESCAPED" },
  { name: "reach an address of the network", script: "(exec 3<>/dev/tcp/1.1.1.1/443) 2>/dev/null && echo ESCAPED" },
  { name: "start an application", script: "open -g -a Calculator && echo ESCAPED" },
  { name: "send an Apple event", script: "osascript -e 'tell application \"Finder\" to name' && echo ESCAPED" },
  { name: "start a job of launchd", script: "launchctl submit -l hap.escape -- /usr/bin/true && echo ESCAPED" },
  { name: "write a job of cron", script: "echo '* * * * * true' | crontab - && echo ESCAPED" },
  { name: "read the keychain", script: "security find-generic-password -s x 2>&1 | grep -q could.not.be.found && echo ESCAPED" },
  { name: "signal a process outside", script: "kill -0 $PARENT && echo ESCAPED" },
  { name: "debug a process outside", script: "lldb -p $PARENT --batch 2>&1 | grep -q 'stopped' && echo ESCAPED" },
  { name: "use more rights", script: "sudo -n true && echo ESCAPED" },
  {
    name: "leave the sandbox",
    script: "sandbox-exec -p '(version 1)(allow default)' sh -c 'echo evil >> .git/config'",
    changes: ".git/config",
  },
  { name: "unmount or mount a disk", script: "hdiutil create -size 1m -fs HFS+ d.dmg && hdiutil attach d.dmg && echo ESCAPED" },
  { name: "make a device", script: "mknod d c 3 2 && echo ESCAPED" },
  {
    name: "set the user's id on a file",
    script: "cp /bin/sh s && chmod u+s s && test -u s && ./s -p -c 'test $(id -u) != $(id -ru)' && echo ESCAPED",
  },
  { name: "read the clipboard", script: "pbpaste >/dev/null 2>&1 && echo ESCAPED" },
  { name: "read memory of processes", script: "ps -axE 2>/dev/null | grep -q HAP_ESCAPE_MARK=outside && echo ESCAPED" },
];

/** What must work, so that a profile that stops everything is not taken for a good one. */
export const ORDINARY_WORK: readonly EscapeAttempt[] = [
  { name: "write the project", script: "mkdir -p src && echo x > src/a && cat src/a && rm src/a && echo WORKED" },
  { name: "run programs", script: "ls / >/dev/null && printf b | sort | tr b c | grep -q c && echo WORKED" },
  { name: "read git", script: "test -r .git/config && cat .git/config >/dev/null && echo WORKED" },
  { name: "use temporary files", script: 'f=$(mktemp) && echo x > "$f" && rm "$f" && echo WORKED' },
];
