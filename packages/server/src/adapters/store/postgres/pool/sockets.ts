import { Socket } from 'node:net';

/** The sockets of some connections, to be cut where the other side would never let them go. */
export interface Sockets {
  /** One more, for a connection that is about to be made. */
  open(): Socket;
  /** Ends every one at once: whoever waits on it gets an error instead of an answer. */
  cut(): void;
}

/**
 * A server that hangs answers nothing and closes nothing, and the time limits of its statements hang
 * with it. What waits for it ends only from this side.
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

/** How long a server may take to say goodbye. */
const GOODBYE_MS = 1_000;

/** Waits until connections have ended in order, and not for a server that hangs. */
export async function endOrCut(ending: Promise<void>, sockets: Sockets): Promise<void> {
  const late = setTimeout(() => sockets.cut(), GOODBYE_MS).unref();
  await ending.catch(() => undefined);
  clearTimeout(late);
}
