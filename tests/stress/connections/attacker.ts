/** Holds hostile connections in a separate process, so that they do not delay the measured callers. */
import type { Socket } from 'node:net';
import {
  HOSTILE_KINDS,
  openHostile,
  type HostileKind,
  type HostileTarget,
} from './hostile-client.ts';

export interface AttackOrder extends HostileTarget {
  /** Number of connections that are open or being opened at any time. */
  connections: number;
  addresses: readonly string[];
  /** Percentage of connections that read large responses slowly or not at all. */
  reader_percent: number;
}

/** `stop`: opens no more connections; clients that sent a complete request disconnect. */
export type AttackMessage = AttackOrder | 'stop';

const REOPEN_MS = 3000;
const READERS = ['unread', 'slow-reading'] as const;
const HELD_KINDS = HOSTILE_KINDS.filter((kind) => !READERS.some((reader) => reader === kind));

const open = new Map<Socket, HostileKind>();
let isStopped = false;
let opened = 0;

process.on('message', (message: AttackMessage) => {
  if (message === 'stop') stop();
  else for (let index = 0; index < message.connections; index += 1) hold(message, index);
});
process.on('disconnect', () => process.exit(0));

/** Keeps one connection open and reconnects when the registry closes it. */
function hold(order: AttackOrder, index: number): void {
  const kinds = index % 100 < order.reader_percent ? READERS : HELD_KINDS;
  const kind: HostileKind = kinds[index % kinds.length] ?? 'silent';
  const again = (): void => {
    if (isStopped) return;
    const address = order.addresses[index % order.addresses.length] ?? '127.0.0.1';
    const socket = openHostile(kind, order, address);
    opened += 1;
    open.set(socket, kind);
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(again, REOPEN_MS * (0.5 + Math.random()));
    });
  };
  // Distributes the connections over two seconds.
  setTimeout(again, (index * 2000) / order.connections);
}

function stop(): void {
  isStopped = true;
  for (const [socket, kind] of open) {
    if (kind === 'abandoned' || READERS.some((reader) => reader === kind)) socket.destroy();
  }
  process.send?.({ opened });
}
