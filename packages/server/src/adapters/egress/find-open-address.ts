import { connect } from 'node:net';

/** Maximum number of addresses tried per name: a hostile name may resolve to many. */
const MAX_ADDRESSES = 8;

/**
 * Returns the first address that accepts a connection. Used for programs without a connect timeout: git over HTTP waits
 * more than two minutes if a firewall drops its packets.
 */
export async function findOpenAddress(
  addresses: readonly string[],
  port: number,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<string> {
  const ended = new AbortController();
  const late = AbortSignal.timeout(timeout_ms);
  const stop = AbortSignal.any([signal, late, ended.signal]);
  try {
    const attempts = addresses.slice(0, MAX_ADDRESSES).map((host) => tryAddress(host, port, stop));
    return await Promise.any(attempts);
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(late.aborted ? 'connection timed out' : 'connection refused', { cause });
  } finally {
    ended.abort();
  }
}

function tryAddress(host: string, port: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.once('connect', () => {
      socket.destroy();
      resolve(host);
    });
    socket.once('error', reject);
  });
}
