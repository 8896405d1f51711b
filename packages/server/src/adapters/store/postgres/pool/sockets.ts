import { Socket } from 'node:net';

export interface Sockets {
  open(): Socket;
  /** Closes all sockets immediately: pending requests are rejected. */
  cut(): void;
}

/**
 * Creates a set of sockets. A hanging server neither responds nor closes connections nor enforces
 * its statement timeouts, so connections must be closed from this side.
 */
export function createSockets(): Sockets {
  const sockets = new Set<Socket>();
  return {
    open() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const CLOSE_TIMEOUT_MS = 1_000;

/** Closes the sockets if the server hangs. */
export async function endOrCut(ending: Promise<void>, sockets: Sockets): Promise<void> {
  const late = setTimeout(() => sockets.cut(), CLOSE_TIMEOUT_MS).unref();
  await ending.catch(() => undefined);
  clearTimeout(late);
}
