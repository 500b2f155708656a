import { endianness } from "node:os";
import { arch } from "node:process";

/**
 * A filter of system calls by which the kernel's keyrings are not there (ENOSYS) for a command: the user's and the session's keyrings
 * hold tokens and passwords, and no mount keeps from them. A classic BPF program as seccomp(2) has it, 8 bytes an instruction.
 * Undefined where the numbers of this machine's calls are not listed: then keyrings are reached.
 */
export function keyringFilter(): Uint8Array | undefined {
  const kinds = kindsOf[arch];
  if (kinds === undefined || endianness() !== "LE") return undefined;
  return Uint8Array.from(kinds.flatMap(blockOf).concat(instruction(RETURN, 0, 0, ALLOW)));
}

/** What a program's calls are numbered by (AUDIT_ARCH of linux/audit.h), and the numbers of add_key, request_key and keyctl in it. */
interface Kind {
  audit: number;
  calls: readonly number[];
}

/** From arch/x86/entry/syscalls, arch/arm/tools, include/uapi/asm-generic/unistd.h. x32 has the numbers of x86-64 with bit 30 set. */
const x64: Kind = { audit: 0xc000_003e, calls: [248, 249, 250].flatMap((call) => [call, call | 0x4000_0000]) };
const x86: Kind = { audit: 0x4000_0003, calls: [286, 287, 288] };
const arm: Kind = { audit: 0x4000_0028, calls: [309, 310, 311] };
const generic = (audit: number): Kind => ({ audit, calls: [217, 218, 219] });

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
const RETURN = 0x06; // BPF_RET | BPF_K
const ALLOW = 0x7fff_0000;
const NOT_THERE = 0x0005_0000 + 38; // SECCOMP_RET_ERRNO with ENOSYS
/** Offsets in struct seccomp_data. */
const callAt = 0;
const kindAt = 4;

/** Of another kind: on to what follows the block. Of this one: refused where the call is one of these, else let through. */
function blockOf({ audit, calls }: Kind): number[] {
  const tests = calls.flatMap((call, index) => instruction(EQUAL, calls.length - index, 0, call));
  return [
    ...instruction(LOAD, 0, 0, kindAt),
    ...instruction(EQUAL, 0, calls.length + 3, audit),
    ...instruction(LOAD, 0, 0, callAt),
    ...tests,
    ...instruction(RETURN, 0, 0, ALLOW),
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
