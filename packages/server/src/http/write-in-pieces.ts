import type { ServerResponse } from 'node:http';

export const PIECE_BYTES = 65_536;

/**
 * Writes a response in pieces and waits for the client after each. After a single write, a slow client would look like
 * one that reads nothing.
 */
export async function endInPieces(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  for (const piece of splitIntoPieces(bytes)) {
    if (outgoing.destroyed) break;
    if (!outgoing.write(piece)) await untilDrained(outgoing);
  }
  outgoing.end();
}

export function* splitIntoPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}

export function isLargerThanPiece({ length }: Uint8Array): boolean {
  return length > PIECE_BYTES;
}

function untilDrained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
