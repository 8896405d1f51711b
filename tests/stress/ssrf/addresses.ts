import { BlockList, isIPv4 } from 'node:net';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

/** Networks without public hosts, from IANA's registries of special-purpose addresses. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
const SPECIAL_V6 = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
];
const WELL_KNOWN = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.168.0.1',
  '10.0.0.1',
  '172.17.0.1',
  '::1',
  '::',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'fc00::1',
];
const PUBLIC_V4 = ['1.0.0.0/8', '8.0.0.0/8', '52.0.0.0/8', '93.184.0.0/16', '172.32.0.0/16'];
const PUBLIC_V6 = ['2606:4700::/32', '2a00:1450::/32', '2400:cb00::/32'];

/** Addresses outside 2000::/3 are never public hosts, including unassigned ones. */
const special = toList([...SPECIAL_V4, ...SPECIAL_V6, '::/3']);

/** True if an address, as the kernel prints it, is a public host. */
export function isPublic(address: string): boolean {
  return !isIn(special, address);
}

/** BlockList compares IPv4 addresses with IPv6 networks as IPv4-mapped addresses. */
export interface NetworkList {
  ipv4: BlockList;
  ipv6: BlockList;
}

export function toList(networks: readonly string[]): NetworkList {
  const list: NetworkList = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [base = '', prefix] = network.split('/');
    const family = isIPv4(base) ? 'ipv4' : 'ipv6';
    list[family].addSubnet(base, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/** True if an address is in a list. An IPv4-mapped address counts as the IPv4 address. */
export function isIn(list: NetworkList, address: string): boolean {
  const plain = unmapIpv4(address);
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  return list[family].check(plain, family);
}

export function unmapIpv4(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}

export function drawPublic(random: SeededRandom): string {
  return drawIn(random, random.pick(random.next() < 0.7 ? PUBLIC_V4 : PUBLIC_V6));
}

export function drawSpecial(random: SeededRandom): string {
  const kind = random.next();
  if (kind < 0.4) return random.pick(WELL_KNOWN);
  if (kind < 0.65) return drawIn(random, random.pick(SPECIAL_V4));
  if (kind < 0.85) return drawIn(random, random.pick(SPECIAL_V6));
  return embed(random, drawIn(random, random.pick(SPECIAL_V4)));
}

/** Returns an IPv4 address in one of the IPv6 forms that route to it. */
function embed(random: SeededRandom, address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return random.pick([
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `::${high}:${low}`,
  ]);
}

export function drawIn(random: SeededRandom, network: string): string {
  const [base = '', prefix = ''] = network.split('/');
  const bits = isIPv4(base) ? 32 : 128;
  let free = 0n;
  for (let count = 0; count < bits / 16; count += 1) {
    free = (free << 16n) | BigInt(random.int(65_536));
  }
  const hostBits = BigInt(bits - Number(prefix || bits));
  const value = toNumber(base) | (free & ((1n << hostBits) - 1n));
  return bits === 32 ? toDotted(value) : toGroups(value);
}

function toNumber(address: string): bigint {
  if (isIPv4(address)) {
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  }
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group}`),
    0n,
  );
}

function toDotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
}

function toGroups(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - index * 16)) & 65_535n).toString(16),
  ).join(':');
}
