import { Socket } from 'node:net';

export interface Sockets {
  open(): Socket;
  /** Closes all sockets immediately, which rejects pending requests. */
  cut(): void;
}

/**
 * Tracks open sockets, so that they can be closed here: a hanging server closes no connection and applies no timeout.
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

/** Waits for connections to end, and closes their sockets if the server hangs. */
export async function endOrCut(ending: Promise<void>, sockets: Sockets): Promise<void> {
  const late = setTimeout(() => sockets.cut(), CLOSE_TIMEOUT_MS).unref();
  await ending.catch(() => undefined);
  clearTimeout(late);
}
