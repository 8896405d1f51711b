import type { Architecture } from './denied-syscalls.ts';

/** One instruction of classic BPF. */
type Instruction = readonly [code: number, skip_true: number, skip_false: number, operand: number];

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

/** Offsets in `seccomp_data` of the kernel. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;

const ALLOW: Instruction = [RETURN, 0, 0, 0x7f_ff_00_00];
/** Kills the process with SIGSYS, which it cannot catch. */
const KILL: Instruction = [RETURN, 0, 0, 0x80_00_00_00];
/** Returns `ENOSYS`, as on a kernel without the call. */
const ABSENT: Instruction = [RETURN, 0, 0, 0x00_05_00_00 + 38];

/** Returns `EACCES`: C libraries try a local socket to look up users, and continue without it. */
const FORBID: Instruction = [RETURN, 0, 0, 0x00_05_00_00 + 13];

const AF_UNIX = 1;
const SOCKET_TYPE = 0xf;
const SOCK_DGRAM = 2;
/** Flags of clone for new namespaces. */
const NEW_NAMESPACES = 0x7e_02_00_00;

/**
 * Returns the filter of `seccomp-strict` as bytes for `bwrap --seccomp`.
 * - Denied calls, network sockets and new namespaces kill the process.
 * - Local sockets return EACCES, because they could lead to a service outside the sandbox. Connected pairs work, except
 * for datagrams.
 * - Newer calls, calls whose arguments a filter cannot read, and calls that bypass filters return ENOSYS.
 */
export function seccompFilter(architecture: Architecture): Uint8Array {
  const { audit, unknown, clone, clone3, socket, socketpair, denied, absent } = architecture;
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, audit],
    KILL,
    [LOAD, 0, 0, NUMBER],
    // x86_64 has a second numbering of calls, x32, with this bit.
    [IF_AT_LEAST, 0, 1, 0x40_00_00_00],
    KILL,
    [IF_AT_LEAST, 0, 1, unknown],
    ABSENT,
    ...[clone3, ...absent].flatMap((number) => when(number, ABSENT)),
    ...denied.flatMap((number) => when(number, KILL)),
    [IF_EQUAL, 0, 4, socket],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [IF_EQUAL, 1, 0, AF_UNIX],
    KILL,
    FORBID,
    [IF_EQUAL, 0, 5, socketpair],
    [LOAD, 0, 0, SECOND_ARGUMENT],
    [AND, 0, 0, SOCKET_TYPE],
    [IF_EQUAL, 0, 1, SOCK_DGRAM],
    FORBID,
    ALLOW,
    [IF_EQUAL, 0, 3, clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [IF_ANY_BIT, 0, 1, NEW_NAMESPACES],
    KILL,
    ALLOW,
  ];
  return encode(program);
}

function when(number: number, then: Instruction): Instruction[] {
  return [[IF_EQUAL, 0, 1, number], then];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [position, [code, skip_true, skip_false, operand]] of program.entries()) {
    const at = position * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(skip_true, at + 2);
    bytes.writeUInt8(skip_false, at + 3);
    bytes.writeUInt32LE(operand, at + 4);
  }
  return bytes;
}
