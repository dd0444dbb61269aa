// A filter on system calls for confined commands, as bubblewrap takes it: bytes of classic BPF. Refused are calls that reach
// around namespaces (keyrings), widen the kernel's surface (bpf, perf, userfaultfd, io_uring), or type into a terminal. Pure.

// Nor can a file be made to run as its owner: it would, for every user of the machine.

/* Numbers are those of <asm/unistd.h>, <linux/audit.h> and <linux/seccomp.h>. */
const MACHINES = {
  x64: {
    audit: 0xc000003e,
    ioctl: 16,
    setsMode: [
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [2, 2],
      [257, 3],
      [85, 1],
      [133, 1],
      [259, 2],
    ],
    refused: [248, 249, 250, 298, 321, 323, 425, 426, 427, 246, 320, 304, 175, 313, 176, 163, 179, 169, 167, 168],
  },
  arm64: {
    audit: 0xc00000b7,
    ioctl: 29,
    setsMode: [
      [52, 1],
      [53, 2],
      [452, 2],
      [56, 3],
      [33, 2],
    ],
    refused: [217, 218, 219, 241, 280, 282, 425, 426, 427, 104, 294, 265, 105, 273, 106, 89, 60, 142, 224, 225],
  },
} as const;

/** Its arguments lie in memory, where a filter cannot look; programs fall back to openat. */
const OPENAT2 = 437;
const SET_USER_ID = 0o4000;

const LOAD = 0x20;
const ANY_BIT = 0x45;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANSWER = 0x06;
const ALLOW = 0x7fff0000;
/** Fails with EPERM. */
const REFUSE = 0x00050001;
/** Fails with ENOSYS. */
const UNKNOWN = 0x00050026;
const KILL = 0x80000000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Calls of the x32 interface have other numbers for the same things. */
const X32 = 0x40000000;

type Row = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter for a machine, or null for one whose numbers are not known here. */
export function seccompFilter(arch: string): Buffer | null {
  const machine = Object.hasOwn(MACHINES, arch) ? MACHINES[arch as keyof typeof MACHINES] : null;
  if (machine === null) return null;
  const refuse = (call: number): Row[] => [
    [EQUAL, 0, 1, call],
    [ANSWER, 0, 0, REFUSE],
  ];
  const rows: Row[] = [
    // The machine, then the number of the call.
    [LOAD, 0, 0, 4],
    [EQUAL, 1, 0, machine.audit],
    [ANSWER, 0, 0, KILL],
    [LOAD, 0, 0, 0],
    [AT_LEAST, 0, 1, X32],
    [ANSWER, 0, 0, REFUSE],
    ...machine.refused.flatMap(refuse),
    [EQUAL, 0, 1, OPENAT2],
    [ANSWER, 0, 0, UNKNOWN],
    // The low half of the argument that holds the mode.
    ...machine.setsMode.flatMap(([call, argument]): Row[] => [
      [EQUAL, 0, 4, call],
      [LOAD, 0, 0, 16 + 8 * argument],
      [ANY_BIT, 0, 1, SET_USER_ID],
      [ANSWER, 0, 0, REFUSE],
      [ANSWER, 0, 0, ALLOW],
    ]),
    [EQUAL, 1, 0, machine.ioctl],
    [ANSWER, 0, 0, ALLOW],
    // The low half of the second argument, which is all that the kernel reads.
    [LOAD, 0, 0, 24],
    ...refuse(TIOCSTI),
    ...refuse(TIOCLINUX),
    [ANSWER, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(rows.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of rows.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}
