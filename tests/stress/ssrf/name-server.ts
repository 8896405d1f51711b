import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4, isIPv6 } from 'node:net';
import type { NameScript } from './history.ts';

/** A name server controlled by the attacker: every lookup of a name can have a different result. */
export interface NameServer {
  /** Sets the names and resets the number of lookups. */
  play(names: readonly NameScript[]): void;
  close(): void;
}

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
const NOT_FOUND = 3;
const HEADER_BYTES = 12;
const ALIAS = 'alias.';

export async function startNameServer(address: string): Promise<NameServer> {
  const socket: Socket = createSocket('udp4');
  let scripts = new Map<string, NameScript>();
  let lookups = new Map<string, number>();

  function answer(query: Buffer): Buffer {
    const { name, type, end } = readQuestion(query);
    const script = scripts.get(name);
    if (type === TYPE_A) lookups.set(name, (lookups.get(name) ?? 0) + 1);
    const turn = Math.max(0, (lookups.get(name) ?? 1) - 1);
    const { answers = [] } = script ?? {};
    const addresses = answers[Math.min(turn, answers.length - 1)] ?? [];
    const wanted =
      type === TYPE_A
        ? addresses.filter(isIPv4)
        : type === TYPE_AAAA
          ? addresses.filter(isIPv6)
          : [];
    const owner = script?.alias === true ? writeName(`${ALIAS}${name}`) : QUESTION_NAME;
    const records = wanted.map((one) => writeRecord(owner, type, toBytes(one)));
    if (script?.alias === true) records.unshift(writeRecord(QUESTION_NAME, TYPE_CNAME, owner));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (script === undefined ? NOT_FOUND : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
  }

  socket.on('message', (query, { port, address: from }) => {
    socket.send(answer(query), port, from);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return {
    play: (names) => {
      scripts = new Map(names.map((script) => [script.name, script]));
      lookups = new Map();
    },
    close: () => socket.close(),
  };
}

/** Points to the name in the question. */
const QUESTION_NAME = Buffer.from([0xc0, HEADER_BYTES]);

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  return { name, type: query.readUInt16BE(offset + 1), end: offset + 5 };
}

function writeName(name: string): Buffer {
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function writeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function toBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser converts an IPv4 part to two groups.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = groups.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return Buffer.from(
    [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}
