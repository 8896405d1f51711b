import { describe, expect, test } from 'vitest';
import { ARCHITECTURES, type Architecture } from './denied-syscalls.ts';
import { seccompFilter } from './seccomp-filter.ts';

function decide(
  filter: Uint8Array,
  call: { arch: number; number: number; first?: number; second?: number },
): string {
  const view = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  const memory = new Map([
    [0, call.number],
    [4, call.arch],
    [16, call.first ?? 0],
    [24, call.second ?? 0],
  ]);
  let held = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const operand = view.getUint32(at + 4, true);
    const skip = (holds: boolean): void => {
      at += 8 * view.getUint8(at + (holds ? 2 : 3));
    };
    switch (view.getUint16(at, true)) {
      case 0x20:
        held = memory.get(operand) ?? Number.NaN;
        break;
      case 0x15:
        skip(held === operand);
        break;
      case 0x35:
        skip(held >= operand);
        break;
      case 0x45:
        skip((held & operand) !== 0);
        break;
      case 0x54:
        held &= operand;
        break;
      case 0x06:
        return VERDICTS[operand] ?? operand.toString(16);
    }
  }
  return 'ran off the end';
}

const VERDICTS: Readonly<Record<number, string>> = {
  0x7f_ff_00_00: 'allow',
  0x80_00_00_00: 'kill',
  0x00_05_00_26: 'ENOSYS',
  0x00_05_00_0d: 'EACCES',
};

describe.each(Object.entries(ARCHITECTURES))(
  'seccomp filter of %s',
  (_name, known: Architecture) => {
    const filter = seccompFilter(known);
    const arch = known.audit;
    const of = (number: number, first = 0, second = 0): string =>
      decide(filter, { arch, number, first, second });

    test('kills a process at each denied call and allows the others', () => {
      const special = new Set([known.clone, known.clone3, known.socket, ...known.absent]);
      for (let number = 0; number < known.unknown; number += 1) {
        if (special.has(number)) continue;
        expect(of(number)).toBe(known.denied.includes(number) ? 'kill' : 'allow');
      }
    });

    test('kills calls of another architecture or numbering', () => {
      expect(decide(filter, { arch: 0x40_00_00_03, number: 1 })).toBe('kill');
      expect(of(0x40_00_00_01)).toBe('kill');
    });

    test('returns ENOSYS for calls whose arguments a filter cannot inspect', () => {
      for (const number of [known.clone3, ...known.absent, known.unknown, 9999]) {
        expect(of(number)).toBe('ENOSYS');
      }
    });

    test('allows socket pairs and threads, and denies all other sockets', () => {
      expect(of(known.socket, 1)).toBe('EACCES');
      const CLOSE_ON_EXEC = 0x8_00_00;
      for (const type of [1, 5])
        expect(of(known.socketpair, 1, type | CLOSE_ON_EXEC)).toBe('allow');
      expect(of(known.socketpair, 1, 2 | CLOSE_ON_EXEC)).toBe('EACCES');
      for (const family of [2, 10, 16, 17]) expect(of(known.socket, family)).toBe('kill');
      expect(of(known.clone, 0x3d_0f_00)).toBe('allow');
      for (const bit of [17, 25, 26, 27, 28, 29, 30])
        expect(of(known.clone, 1 << bit)).toBe('kill');
    });
  },
);
