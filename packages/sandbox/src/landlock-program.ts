// The program that confines itself and then becomes the command: Landlock for files, seccomp for sockets, no capabilities, gone
// with its parent. Node has no call for these, and no maintained package brings one; Python's ctypes reaches the kernel's own.
// It takes a plan as JSON and a command; whatever it cannot do ends it with 126 before the command has begun.

/** What the program is told. */
export type LandlockPlan = {
  /** Folders and files that are read and executed. */
  read: readonly string[];
  /** Folders that are written too. */
  write: readonly string[];
  /** Devices: read and written, never made. */
  devices: readonly string[];
  network: boolean;
};

/** Linux 6.2: before it, files outside could be truncated. */
const LEAST_ABI = 3;

/* Numbers are those of <linux/landlock.h>, <linux/prctl.h>, <linux/seccomp.h> and <linux/audit.h>. */
export const LANDLOCK_PROGRAM = `
import ctypes, json, os, platform, struct, sys

libc = ctypes.CDLL(None, use_errno=True)

def checked(got, what):
    if got < 0:
        raise OSError(ctypes.get_errno(), what + ": " + os.strerror(ctypes.get_errno()))
    return got

def syscall(what, number, *arguments):
    longs = [a if isinstance(a, ctypes.Array) else ctypes.c_long(a) for a in arguments]
    return checked(libc.syscall(ctypes.c_long(number), *longs), what)

def prctl(what, option, *arguments):
    longs = [a if isinstance(a, ctypes.Array) else ctypes.c_long(a) for a in arguments]
    return checked(libc.prctl(option, *longs, *[ctypes.c_long(0)] * (4 - len(longs))), what)

def bytes_of(shape, *values):
    return ctypes.create_string_buffer(struct.pack(shape, *values), struct.calcsize(shape))

def drop_capabilities():
    for capability in range(64):
        if libc.prctl(23, ctypes.c_long(capability), 0, 0, 0) == 1:
            prctl("dropping a capability", 24, capability)
    checked(libc.capset(bytes_of("=Ii", 0x20080522, 0), bytes_of("=6I", *[0] * 6)), "dropping capabilities")

def confine_files(plan):
    abi = syscall("asking for Landlock", 444, 0, 0, 1)
    if abi < ${LEAST_ABI}:
        raise OSError(0, "Landlock of this kernel cannot guard against truncation (ABI %d)" % abi)
    execute, write_file, read_file, read_dir, make_char, make_block = 1, 2, 4, 8, 1 << 6, 1 << 11
    every = (1 << (16 if abi >= 5 else 15)) - 1
    net = 3 if abi >= 4 and not plan["network"] else 0
    shape = "=QQQ" if abi >= 6 else "=QQ" if abi >= 4 else "=Q"
    wanted = (every, net, 3)[: len(shape) - 1]
    ruleset = syscall("making a ruleset", 444, bytes_of(shape, *wanted), struct.calcsize(shape), 0)
    changes = every & ~(make_char | make_block | (1 << 15))
    only_files = execute | write_file | read_file | (1 << 14)
    for rights, paths in (
        (execute | read_file | read_dir, plan["read"]),
        (changes, plan["write"]),
        (read_file | write_file, plan["devices"]),
    ):
        for path in paths:
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            given = rights if os.path.isdir(path) else rights & only_files
            syscall("a rule for " + path, 445, ruleset, 1, bytes_of("=Qi", given, opened), 0)
            os.close(opened)
    syscall("entering the ruleset", 446, ruleset, 0)
    os.close(ruleset)

def confine_sockets(network):
    machine = platform.machine()
    if machine not in ("x86_64", "aarch64"):
        raise OSError(0, "sockets cannot be guarded on " + machine)
    arch, socket = (0xC000003E, 41) if machine == "x86_64" else (0xC00000B7, 198)
    io_uring_setup, other_calls, allow, refuse = 425, 0x40000000, 0x7FFF0000, 0x0005000D
    families = (2, 10, 16) if network else ()
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    # One instruction a row: code, jump when true, jump when false, value.
    rows = [
        (load, 0, 0, 4), (equal, 1, 0, arch), (answer, 0, 0, refuse),
        (load, 0, 0, 0), (at_least, 0, 1, other_calls), (answer, 0, 0, refuse),
        (equal, 0, 1, io_uring_setup), (answer, 0, 0, refuse),
        (equal, 1, 0, socket), (answer, 0, 0, allow),
        (load, 0, 0, 16),
    ]
    for family in families:
        rows += [(equal, 0, 1, family), (answer, 0, 0, allow)]
    rows.append((answer, 0, 0, refuse))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *row) for row in rows))
    filter = bytes_of("@HP", len(rows), ctypes.addressof(code))
    prctl("guarding sockets", 22, 2, filter)

try:
    plan, command = json.loads(sys.argv[1]), sys.argv[2:]
    folders = [""] if "/" in command[0] else os.environ["PATH"].split(":")
    # Nothing of Python is looked up after the confinement, which may hide Python's own folder.
    places = [os.path.join(folder, command[0]) for folder in folders]
    # Descriptors that the host left open; 3 is the shell's own.
    os.closerange(4, 1 + max(int(name) for name in os.listdir("/proc/self/fd")))
    prctl("ending with the parent", 1, 9)
    drop_capabilities()
    prctl("giving up privileges", 38, 1)
    confine_files(plan)
    confine_sockets(plan["network"])
    for place in places:
        if os.access(place, os.X_OK):
            os.execv(place, command)
    print("sandbox: %s: not found" % command[0], file=sys.stderr)
    os._exit(127)
except OSError as error:
    print("sandbox: %s" % error.strerror, file=sys.stderr)
    os._exit(126)
`;
