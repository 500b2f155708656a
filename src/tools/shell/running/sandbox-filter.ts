import { endianness } from "node:os";
import { arch } from "node:process";

/**
 * A filter of system calls by which the kernel's keyrings are not there (ENOSYS) for a command: the user's and the session's keyrings
 * hold tokens and passwords, and no mount keeps from them. Nor are sockets to the machine below a virtual one (AF_VSOCK), which no network
 * of its own keeps from, and rings by which sockets are made past such a filter. A classic BPF program as seccomp(2) has it, 8 bytes an instruction.
 * `keepsSetId`: no file or folder gets the rights of its owner or group either (set-user-id, set-group-id; EPERM). Undefined where the numbers of this machine's calls are not listed: then keyrings are reached.
 */
export function callFilter({ keepsSetId = false } = {}): Uint8Array | undefined {
  const kinds = kindsOf[arch];
  if (kinds === undefined || endianness() !== "LE") return undefined;
  const first = keepsSetId ? kinds.flatMap(setIdBlock) : [];
  return Uint8Array.from([...first, ...kinds.flatMap(blockOf), ...instruction(RETURN, 0, 0, ALLOW)]);
}

/**
 * The architecture that a program's calls are numbered by (AUDIT_ARCH of linux/audit.h), and the numbers of add_key, request_key, keyctl and
 * io_uring_setup, and of socket.
 */
interface Kind {
  audit: number;
  calls: readonly number[];
  sockets: readonly number[];
  modes: readonly ModeCall[];
}

/** A call that gives a file its mode: which of its arguments (from 0) that is, and which says whether it counts. */
interface ModeCall {
  call: number;
  mode: number;
  flags?: number;
}

interface ModeNumbers {
  fchmod: number;
  fchmodat: number;
  mknodat: number;
  openat: number;
  /** chmod, creat, mknod and open, where there are such. */
  old?: readonly [chmod: number, creat: number, mknod: number, open: number];
}

/** fchmodat2 has one number everywhere. */
const modeCalls = ({ fchmod, fchmodat, mknodat, openat, old }: ModeNumbers): ModeCall[] => [
  ...[fchmod, ...(old?.slice(0, 3) ?? [])].map((call) => ({ call, mode: 1 })),
  ...[fchmodat, 452, mknodat].map((call) => ({ call, mode: 2 })),
  { call: openat, flags: 2, mode: 3 },
  ...(old === undefined ? [] : [{ call: old[3], flags: 1, mode: 2 }]),
];

/** From arch/x86/entry/syscalls, arch/arm/tools, include/uapi/asm-generic/unistd.h. x32 has the numbers of x86-64 with bit 30 set. */
const ofX32 = (call: number): number[] => [call, call | 0x4000_0000];
const x64: Kind = {
  audit: 0xc000_003e,
  calls: [248, 249, 250, 425].flatMap(ofX32),
  sockets: ofX32(41),
  modes: modeCalls({ fchmod: 91, fchmodat: 268, mknodat: 259, openat: 257, old: [90, 85, 133, 2] }).flatMap((one) =>
    ofX32(one.call).map((call) => ({ ...one, call })),
  ),
};
const x86: Kind = {
  audit: 0x4000_0003,
  calls: [286, 287, 288, 425],
  sockets: [359],
  modes: modeCalls({ fchmod: 94, fchmodat: 306, mknodat: 297, openat: 295, old: [15, 8, 14, 5] }),
};
const arm: Kind = {
  audit: 0x4000_0028,
  calls: [309, 310, 311, 425],
  sockets: [281],
  modes: modeCalls({ fchmod: 94, fchmodat: 333, mknodat: 324, openat: 322, old: [15, 8, 14, 5] }),
};
const generic = (audit: number): Kind => ({
  audit,
  calls: [217, 218, 219, 425],
  sockets: [198],
  modes: modeCalls({ fchmod: 52, fchmodat: 53, mknodat: 33, openat: 56 }),
});

const kindsOf: { readonly [A in NodeJS.Architecture]?: readonly Kind[] } = {
  x64: [x64, x86],
  ia32: [x86],
  arm64: [generic(0xc000_00b7), arm],
  arm: [arm],
  riscv64: [generic(0xc000_00f3)],
  loong64: [generic(0xc000_0102)],
};

const LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const RETURN = 0x06; // BPF_RET | BPF_K
const ALLOW = 0x7fff_0000;
const NOT_THERE = 0x0005_0000 + 38; // SECCOMP_RET_ERRNO with ENOSYS
const NO_FAMILY = 0x0005_0000 + 97; // SECCOMP_RET_ERRNO with EAFNOSUPPORT
const NOT_PERMITTED = 0x0005_0000 + 1; // SECCOMP_RET_ERRNO with EPERM
const VSOCK = 40;
const SET_ID = 0o6000;
/** O_CREAT and the bit of O_TMPFILE that no other flag has: else the mode of an open is whatever lies there. */
const MAKES_FILE = 0o100 | 0o20000000;
/** It has its mode behind a pointer, where no filter looks; programs take the older call where it is not there. */
const openat2 = 437;
/** Offsets in struct seccomp_data. */
const callAt = 0;
const kindAt = 4;
const firstArgumentAt = 16;
const argumentAt = (index: number): number => firstArgumentAt + 8 * index;

/** Of this kind: refused where the call would set such a bit; all else goes on to what follows the block. */
function setIdBlock({ audit, modes }: Kind): number[] {
  const calls = audit === x64.audit ? ofX32(openat2) : [openat2];
  const tests = [
    ...modes.flatMap(modeTest),
    ...calls.flatMap((call) => [...instruction(EQUAL, 0, 1, call), ...instruction(RETURN, 0, 0, NOT_THERE)]),
  ];
  return [
    ...instruction(LOAD, 0, 0, kindAt),
    ...instruction(EQUAL, 0, 1 + tests.length / 8, audit),
    ...instruction(LOAD, 0, 0, callAt),
    ...tests,
  ];
}

/** Makes the test that refuses such a call; where it is another call, or sets no such bit, the number of the call is there for the next test. */
function modeTest({ call, mode, flags }: ModeCall): number[] {
  const made =
    flags === undefined
      ? []
      : [...instruction(LOAD, 0, 0, argumentAt(flags)), ...instruction(ANY_BIT, 0, 3, MAKES_FILE)];
  return [
    ...instruction(EQUAL, 0, 4 + made.length / 8, call),
    ...made,
    ...instruction(LOAD, 0, 0, argumentAt(mode)),
    ...instruction(ANY_BIT, 0, 1, SET_ID),
    ...instruction(RETURN, 0, 0, NOT_PERMITTED),
    ...instruction(LOAD, 0, 0, callAt),
  ];
}

/** Of another kind: on to what follows the block. Of this one: refused where the call is one of these, or a socket of that family, else let through. */
function blockOf({ audit, calls, sockets }: Kind): number[] {
  const tests = calls.flatMap((call, index) => instruction(EQUAL, calls.length + sockets.length + 4 - index, 0, call));
  const families = sockets.flatMap((call, index) => instruction(EQUAL, sockets.length - index, 0, call));
  return [
    ...instruction(LOAD, 0, 0, kindAt),
    ...instruction(EQUAL, 0, calls.length + sockets.length + 7, audit),
    ...instruction(LOAD, 0, 0, callAt),
    ...tests,
    ...families,
    ...instruction(RETURN, 0, 0, ALLOW),
    ...instruction(LOAD, 0, 0, firstArgumentAt),
    ...instruction(EQUAL, 1, 0, VSOCK),
    ...instruction(RETURN, 0, 0, ALLOW),
    ...instruction(RETURN, 0, 0, NO_FAMILY),
    ...instruction(RETURN, 0, 0, NOT_THERE),
  ];
}

/** Code (16 bits), where to go on if true and if false (8 bits each), a value (32 bits). */
const instruction = (code: number, ifTrue: number, ifFalse: number, value: number): number[] => [
  code & 0xff,
  code >> 8,
  ifTrue,
  ifFalse,
  ...[0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff),
];
