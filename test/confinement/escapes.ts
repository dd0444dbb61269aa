// Attempts to get out of `hap run --confined`, as texts for bash. Each prints ESCAPED where it succeeds, by its own measure; the test
// also compares the host before and after. `git`: it names a writing verb, so that the git dir is writable.

/** What the texts may name of their surroundings. */
export type Surroundings = { home: string; folder: string; port: number; abstract: string; hostPid: number };
export type Escape = { name: string; attack: (world: Surroundings) => string };

const plain = (name: string, text: string): Escape => ({ name, attack: () => text });
const python = (text: string) => `python3 - <<'END'\n${text}\nEND`;
const wrote = (path: string) => `echo evil 2>/dev/null >> ${path} && echo ESCAPED`;

/** Paths that arm a gate. */
const gates: Escape[] = [
  plain("appends to .git/config", wrote(".git/config")),
  plain("appends to .git/config beside a writing verb", `git add -A; ${wrote(".git/config")}`),
  plain("sets a value by git itself", "git config alias.x '!id' && echo ESCAPED"),
  plain("sets a value by git itself beside a writing verb", "git stash; git config core.fsmonitor ./evil && echo ESCAPED"),
  plain("writes a hook", wrote(".git/hooks/pre-commit")),
  plain(
    "writes a hook beside a writing verb of git",
    `git add -A; ${wrote(".git/hooks/pre-commit")}; ${wrote(".git/hooks/post-merge")}`,
  ),
  plain("writes git's attributes", `git add -A; ${wrote(".git/info/attributes")}`),
  plain("renames the git dir", "mv .git g2 && echo ESCAPED"),
  plain("renames the git dir beside a writing verb", "git add -A; mv .git g2 && mkdir .git && echo ESCAPED"),
  plain("renames git's folder of hooks", "git add -A; mv .git/hooks .git/h2 && mkdir .git/hooks && echo ESCAPED"),
  plain("removes git's folder of hooks", "git add -A; rm -rf .git/hooks; test -e .git/hooks/keep || echo ESCAPED"),
  plain("makes a hard link to git's configuration", "git add -A; ln .git/config x && echo evil >> x && echo ESCAPED"),
  plain("writes a hook through a link to its folder", `ln -s .git/hooks hk; ${wrote("hk/pre-push")}; rm hk`),
  plain("writes the configuration through /proc/self/cwd", wrote("/proc/self/cwd/.git/config")),
  plain("copies over the agent's settings", "cp package.json .claude/settings.json && echo ESCAPED"),
  plain(
    "renames over the agent's settings",
    "echo '{}' > x.json; mv -f x.json .claude/settings.json && echo ESCAPED; rm -f x.json",
  ),
  plain("renames the agent's folder", "mv .claude c2 && echo ESCAPED"),
  plain("removes the agent's folder", "rm -rf .claude 2>/dev/null; test -e .claude/settings.json || echo ESCAPED"),
  plain("truncates the agent's settings", ": > .claude/settings.json && echo ESCAPED"),
  plain("edits in place", "sed -i s/x/y/ .claude/settings.json && echo ESCAPED"),
  plain("adds a file to the agent's folder", wrote(".claude/settings.local.json")),
  plain("overwrites the list of MCP servers", wrote(".mcp.json")),
  plain("unlinks the list of MCP servers", "rm -f .mcp.json && echo ESCAPED"),
  plain("writes the policy", wrote(".hap/policy.json")),
  plain("writes a hook of husky", wrote(".husky/pre-commit")),
  plain("writes into git's core.hooksPath", `git add -A; ${wrote("tools/hooks/pre-commit")}`),
  plain("renames the folder above core.hooksPath", "mv tools t2 && echo ESCAPED"),
  plain("renames a folder above a nested gate", "mv packages p2 && echo ESCAPED"),
  plain("writes a nested gate", wrote("packages/a/.claude/settings.json")),
  plain("points the .git file of a submodule elsewhere", "echo 'gitdir: /tmp/evil' > sub/.git && echo ESCAPED"),
  plain("writes a file that git's configuration includes", wrote("git-extra.conf")),
  plain("writes where a gate that is a link leads", wrote("dotfiles/codex/config.toml")),
];

/** Gate names that were not there: made inside, gone afterwards. */
export const appearing: { name: string; attack: string; path: string }[] = [
  {
    name: "a folder that git would run in",
    attack: "mkdir -p deep/er && git -c init.templateDir= init -q deep/er && git -C deep/er config core.fsmonitor ./evil",
    path: "deep/er/.git",
  },
  { name: "a common dir", attack: "git add -A; echo /tmp/evil > .git/commondir", path: ".git/commondir" },
  {
    name: "a rebase that runs a command",
    attack: "git add -A; mkdir .git/rebase-merge && echo 'exec id' > .git/rebase-merge/git-rebase-todo",
    path: ".git/rebase-merge",
  },
  {
    name: "a sequence of picks",
    attack: "git add -A; mkdir .git/sequencer && echo 'exec id' > .git/sequencer/todo",
    path: ".git/sequencer",
  },
  {
    name: "submodules",
    attack: "git add -A; mkdir -p .git/modules/x/hooks && echo id > .git/modules/x/hooks/post-checkout",
    path: ".git/modules",
  },
  {
    name: "a linked worktree with a common dir of its own",
    attack: "git add -A; mkdir -p .git/worktrees/x && echo /tmp/evil > .git/worktrees/x/commondir",
    path: ".git/worktrees/x/commondir",
  },
  { name: "a shell's environment", attack: "mkdir -p web && echo 'id' > web/.envrc", path: "web/.envrc" },
  { name: "an editor's tasks", attack: "mkdir .vscode && echo '{}' > .vscode/tasks.json", path: ".vscode" },
  {
    name: "settings of an agent in a folder",
    attack: "mkdir -p web/.claude && echo '{}' > web/.claude/settings.json",
    path: "web/.claude",
  },
  { name: "a hook manager", attack: "echo 'pre-commit: {}' > lefthook.yml", path: "lefthook.yml" },
  { name: "a repository among packages", attack: "mkdir -p node_modules/x/.git/hooks", path: "node_modules/x/.git" },
  { name: "a gate as a link", attack: "ln -s /tmp/evil .cursor", path: ".cursor" },
  {
    name: "a gate in a folder whose name is not UTF-8",
    attack: "mkdir $'\\xff\\xfe' && mkdir $'\\xff\\xfe/.git'",
    path: Buffer.from("\xff\xfe/.git", "latin1").toString(),
  },
];

/** Files, sockets and processes of the host. */
const host: Escape[] = [
  { name: "reads a private key", attack: ({ home }) => `cat ${home}/.ssh/id_rsa ~/.ssh/id_rsa` },
  { name: "reads HAP's own folder", attack: ({ home }) => `cat ${home}/.hap/*; ls ${home}/.hap && echo ESCAPED` },
  { name: "reads another project", attack: ({ home }) => `cat ${home}/other/file` },
  {
    name: "reads credentials beside a toolchain",
    attack: ({ home }) => `cat ${home}/.cargo/credentials.toml ${home}/.npm/token`,
  },
  { name: "reads variables of the caller", attack: () => "env; echo $MY_TOKEN" },
  { name: "reads password hashes", attack: () => "cat /etc/shadow /etc/gshadow && echo ESCAPED" },
  { name: "writes a start-up file", attack: ({ home }) => `echo evil >> ${home}/.bashrc; echo evil > ${home}/.profile` },
  {
    name: "writes a program on the PATH",
    attack: ({ home }) =>
      `cp /bin/true ${home}/.cargo/bin/evil && echo ESCAPED; cp /bin/true /usr/local/bin/evil && echo ESCAPED`,
  },
  {
    name: "leaves a file in the host's /tmp",
    attack: ({ folder }) => `mkdir -p ${folder}; echo evil > ${folder}/evil; echo evil > /tmp/evil-of-a-confined-command; true`,
  },
  {
    name: "poisons caches of the person",
    attack: ({ home }) =>
      `mkdir -p ${home}/.npm ${home}/.cache/pip; echo evil > ${home}/.npm/evil; echo evil > ${home}/.cache/pip/evil; echo evil > $CARGO_HOME/config.toml; true`,
  },
  {
    name: "connects to a socket in the home folder",
    attack: ({ home }) =>
      python(`import socket\ns=socket.socket(socket.AF_UNIX); s.connect("${home}/host.sock"); print(s.recv(99))`),
  },
  {
    name: "connects to a socket in /tmp",
    attack: ({ folder }) =>
      python(`import socket\ns=socket.socket(socket.AF_UNIX); s.connect("${folder}/host.sock"); print(s.recv(99))`),
  },
  {
    name: "connects to an abstract socket, as X11 and D-Bus have",
    attack: ({ abstract }) =>
      python(`import socket\ns=socket.socket(socket.AF_UNIX); s.connect("\\0${abstract}"); print(s.recv(99))`),
  },
  { name: "looks for X11's socket", attack: () => "ls /tmp/.X11-unix/* && echo ESCAPED" },
  {
    name: "looks for the bus of the session and of the system",
    attack: () => "ls /run/user/*/bus /run/dbus/system_bus_socket /var/run/dbus/* && echo ESCAPED",
  },
  {
    name: "looks for container engines",
    attack: () =>
      "ls /run/docker.sock /var/run/docker.sock /run/podman/podman.sock /run/containerd/containerd.sock && echo ESCAPED",
  },
  { name: "connects to a port of the host", attack: ({ port }) => `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5` },
  {
    name: "asks the proxy for a port of the host",
    attack: ({ port }) =>
      `curl -s -m 5 --noproxy '' -x $HTTP_PROXY http://127.0.0.1:${port}/; curl -s -m 5 --noproxy '' -p -x $HTTP_PROXY http://localhost:${port}/; true`,
  },
  {
    name: "asks the proxy for the host under another name",
    attack: ({ port }) =>
      `for name in 0.0.0.0 [::1] 127.1 2130706433 localhost.; do curl -s -m 5 --noproxy '' -p -x $HTTP_PROXY http://$name:${port}/; done`,
  },
  { name: "asks the proxy for a host that nobody named", attack: () => "curl -s -m 5 https://example.com/ && echo ESCAPED" },
  {
    name: "asks an allowed host for another name",
    attack: () => "curl -s -m 5 -k --connect-to example.com:443:registry.npmjs.org:443 https://example.com/ && echo ESCAPED",
  },
  {
    name: "speaks to the network directly",
    attack: () =>
      python(
        "import socket\ns=socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect((\"192.0.2.1\",53)); print('ESCAPED')",
      ),
  },
];

/** The kernel's own doors. */
const kernel: Escape[] = [
  plain("leaves by the root of process 1", "ls /proc/1/root/ && echo ESCAPED; cat /proc/1/environ && echo ESCAPED"),
  {
    name: "leaves by the root of any process",
    attack: ({ home }) => `for p in /proc/[0-9]*; do cat $p/root${home}/.ssh/id_rsa $p/cwd/../.ssh/id_rsa; done`,
  },
  { name: "reads the variables of any process", attack: () => "cat /proc/*/environ | tr '\\0' '\\n'" },
  {
    name: "leaves by an open descriptor",
    attack: ({ home }) => `for p in /proc/[0-9]*/fd/*; do cat "$p/.ssh/id_rsa" "$p/../.ssh/id_rsa" "$p${home}/.ssh/id_rsa"; done`,
  },
  plain("enters the namespaces of process 1", "nsenter -t 1 -m -p -n true && echo ESCAPED"),
  {
    name: "traces every process",
    attack: () =>
      python(
        "import ctypes, os\nl=ctypes.CDLL(None, use_errno=True)\nmine={os.getpid(), os.getppid()}\nfor p in filter(str.isdigit, os.listdir('/proc')):\n  ns=os.readlink\n  name=open('/proc/%s/comm' % p).read().strip()\n  if int(p) not in mine and name in ('bwrap','bash') and (p=='1' or name=='bwrap'):\n    print(name, l.ptrace(16, int(p), 0, 0)==0 and 'ESCAPED')",
      ),
  },
  { name: "signals a process of the host", attack: ({ hostPid }) => `kill -9 ${hostPid} && echo ESCAPED` },
  plain("sets where core dumps go", "(echo '|/tmp/evil' > /proc/sys/kernel/core_pattern) && echo ESCAPED"),
  plain(
    "sets any setting of the kernel",
    "for f in /proc/sys/kernel/modprobe /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sys/fs/binfmt_misc/register; do (cat $f > /tmp/v; cat /tmp/v > $f) && echo ESCAPED; done",
  ),
  plain("asks the kernel for help by sysrq", "(echo h > /proc/sysrq-trigger) && echo ESCAPED"),
  plain(
    "makes a device",
    "mknod disk b 8 0 && echo ESCAPED; mknod mem c 1 1 && echo ESCAPED; ls /dev/sda /dev/vda /dev/mem /dev/kmsg /dev/fuse /dev/kvm && echo ESCAPED",
  ),
  plain(
    "mounts something",
    "mkdir -p /tmp/m; mount -t tmpfs tmpfs /tmp/m && echo ESCAPED; mount --bind / /tmp/m && echo ESCAPED",
  ),
  plain("unmounts what protects", "umount .git && echo ESCAPED; umount -l .claude && echo ESCAPED"),
  plain(
    "mounts what protects again, writable",
    "mount -o remount,rw,bind .claude && echo ESCAPED; mount -o remount,rw / && echo ESCAPED",
  ),
  plain(
    "becomes root of a namespace of its own",
    "unshare -Urm sh -c 'umount .claude; mount -o remount,rw,bind .claude; echo evil >> .claude/settings.json && echo ESCAPED'",
  ),
  plain("makes a network namespace of its own", "unshare -Urn true && echo ESCAPED; unshare -n true && echo ESCAPED"),
  plain("changes the root folder", "chroot /proc/1/root true && echo ESCAPED; chroot / true && echo ESCAPED"),
  plain(
    "runs a program that becomes root",
    "cp /bin/true suid; chmod 4755 suid && echo ESCAPED; chmod u+s suid && echo ESCAPED; rm -f suid; grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED",
  ),
  {
    name: "makes a file that runs as its owner",
    attack: () => python("import os\nfd=os.open('suid', os.O_CREAT|os.O_WRONLY, 0o4755)\nprint('ESCAPED')"),
  },
  plain("has a capability", "grep -E '^Cap(Prm|Eff|Bnd|Amb)' /proc/self/status | grep -qv 0000000000000000 && echo ESCAPED"),
  {
    name: "types into a terminal",
    attack: () =>
      python(
        "import fcntl, os\nfor path in ('/dev/tty', '/dev/stdin', '/dev/console'):\n  try:\n    fd=os.open(path, os.O_RDWR)\n    fcntl.ioctl(fd, 0x5412, b'x')\n    print('ESCAPED')\n  except OSError as e: print(path, e)\nm, s = os.openpty()\ntry:\n  fcntl.ioctl(s, 0x5412, b'x'); print('ESCAPED')\nexcept OSError as e: print(e)",
      ),
  },
  {
    name: "reads the kernel's keyrings",
    attack: () =>
      python(
        "import ctypes\nl=ctypes.CDLL(None)\nfor n in (250, 248, 249): print('ESCAPED' if l.syscall(n, 0, -3, 0, 0) >= 0 else 'refused')",
      ),
  },
  {
    name: "loads a program into the kernel",
    attack: () =>
      python(
        "import ctypes\nl=ctypes.CDLL(None)\nfor n in (321, 298, 425, 323): print('ESCAPED' if l.syscall(n, 0, 0, 0, 0) >= 0 else 'refused')",
      ),
  },
  plain("is in the host's namespaces", "for n in net pid ipc uts mnt user; do readlink /proc/self/ns/$n; done"),
];

/** Tried together, each in a shell of its own: those that name a writing verb of git have a writable git dir. */
export const GROUPS: Readonly<Record<string, readonly Escape[]>> = {
  gates: gates.filter(({ name }) => !name.includes("git")),
  "gates of git": gates.filter(({ name }) => name.includes("git")),
  "the host": host,
  "the kernel": kernel,
};
