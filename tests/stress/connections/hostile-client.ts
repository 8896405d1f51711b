import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export const HOSTILE_KINDS = [
  'slow',
  'silent',
  'half-closed',
  'half-TLS',
  'abandoned',
  'unread',
  'slow-reading',
] as const;
export type HostileKind = (typeof HOSTILE_KINDS)[number];

export interface HostileTarget {
  port: number;
  tls: boolean;
}

const DRIP_MS = 1000;
/** Bytes per second that a slow reader reads. */
const SLOW_READ_BYTES = 1024;
/** Number of requests whose responses fill the system's buffers if the client does not read them. */
const UNREAD_REQUESTS = 30;
/** The start of a TLS record of 16 KB. */
const HALF_HANDSHAKE = Buffer.from([0x16, 0x03, 0x01, 0x3f, 0xff, 0x01]);
const PART_OF_REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const DOCUMENT = 'GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

export function openHostile(
  kind: HostileKind,
  { port, tls }: HostileTarget,
  localAddress: string,
): Socket {
  const options = { port, host: '127.0.0.1', localAddress, allowHalfOpen: true };
  // Half of the silent clients stop before the handshake.
  const isPlain = !tls || kind === 'half-TLS' || (kind === 'silent' && Math.random() < 0.5);
  const socket = isPlain ? connect(options) : connectTls({ ...options, rejectUnauthorized: false });
  socket.on('error', () => undefined);
  socket.once(isPlain ? 'connect' : 'secureConnect', () => misbehave(kind, socket));
  return socket;
}

function misbehave(kind: HostileKind, socket: Socket): void {
  if (kind === 'slow') sendSlowly(socket, PART_OF_REQUEST);
  else if (kind === 'half-TLS') sendSlowly(socket, HALF_HANDSHAKE);
  else if (kind === 'half-closed') socket.end(PART_OF_REQUEST);
  else if (kind === 'silent') leaveAtEnd(socket);
  else if (kind === 'abandoned') leaveAtEnd(socket).write(HEALTH);
  else if (kind === 'unread') socket.write(DOCUMENT.repeat(UNREAD_REQUESTS));
  else if (kind === 'slow-reading') readSlowly(socket, DOCUMENT.repeat(UNREAD_REQUESTS));
}

function leaveAtEnd(socket: Socket): Socket {
  return socket.once('end', () => socket.destroy()).resume();
}

function sendSlowly(socket: Socket, first: string | Buffer): void {
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

function readSlowly(socket: Socket, requests: string): void {
  socket.write(requests);
  const timer = setInterval(() => void socket.read(SLOW_READ_BYTES), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}
