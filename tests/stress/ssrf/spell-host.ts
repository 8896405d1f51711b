import { isIPv4 } from 'node:net';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

/** Formats an address in any form of a URL; most clients resolve all to the same address. */
export function spellAddress(random: SeededRandom, address: string): string {
  return isIPv4(address)
    ? disguise(random, spellV4(random, address))
    : `[${spellV6(random, address)}]`;
}

function spellV4(random: SeededRandom, address: string): string {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  return random.pick([
    () => address,
    () => spellNumber(random, whole),
    () => [a, (b * 256 + c) * 256 + d].map((part) => spellNumber(random, part)).join('.'),
    () => [a, b, c * 256 + d].map((part) => spellNumber(random, part)).join('.'),
    () => parts.map((part) => spellNumber(random, part)).join('.'),
    () => `${address}.`,
  ])();
}

function spellNumber(random: SeededRandom, value: number): string {
  return random.pick([
    String(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0x000${value.toString(16)}`,
    `0${value.toString(8)}`,
    `0000${value.toString(8)}`,
  ]);
}

/** Replaces characters with others that the URL standard maps to ASCII, or percent-encodes them. */
function disguise(random: SeededRandom, host: string): string {
  const kind = random.next();
  if (kind < 0.7) return host;
  if (kind < 0.8) return host.replaceAll('.', () => random.pick(['。', '．', '｡', '.']));
  if (kind < 0.9) {
    return host.replaceAll(/\d/g, (digit) =>
      random.pick([
        String.fromCodePoint(0xff10 + Number(digit)),
        String.fromCodePoint(0x1d7ce + Number(digit)),
        digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit)),
      ]),
    );
  }
  return host.replaceAll(
    /[\d.]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

function spellV6(random: SeededRandom, address: string): string {
  return random.pick([
    () => address,
    () => address.toUpperCase(),
    () =>
      address.replaceAll(/(?<![0-9a-f.])([0-9a-f]{1,4})(?![0-9a-f.])/gi, (group) =>
        group.padStart(4, '0'),
      ),
  ])();
}

export function spellName(random: SeededRandom, name: string): string {
  return random.pick([
    () => name,
    () => name.toUpperCase(),
    () => name.replaceAll('.', '。'),
    () => name.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => name.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  ])();
}
