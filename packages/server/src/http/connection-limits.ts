import { readFileSync } from 'node:fs';
import { PIECE_BYTES } from './write-in-pieces.ts';

/** Limits of connections: durations in milliseconds, sizes in bytes. */
export interface ConnectionLimits {
  /** Timeout from the connection to the end of the TLS handshake. */
  handshakeTimeout: number;
  headersTimeout: number;
  /** Timeout of a whole request with its body. */
  requestTimeout: number;
  /** Time in which a client must read `minResponseBytes`, or the rest of the response. Event streams are exempt. */
  responseTimeout: number;
  minResponseBytes: number;
  keepAliveTimeout: number;
  /** Time from the end of a connection on this side until it is destroyed. */
  closeTimeout: number;
  connectionsCheckingInterval: number;
  maxHeaderSize: number;
  maxIncompletePerAddress: number;
  /** Minimum age of a connection to be closed in favor of a newer one. If all are younger, the newest is closed. */
  minAgeToReplace: number;
  maxConnections: number;
}

/** File descriptors reserved for the store, git and the management listener. */
const RESERVED_DESCRIPTORS = 128;
/** Maximum number of connections of the management listener, which use the reserve. */
const MANAGEMENT_CONNECTIONS = 48;
const MIN_CONNECTIONS = 64;
/** Share of the connections that event streams can use. */
const STREAM_SHARE = 0.75;
const DEFAULT_DESCRIPTORS = 1024;

/**
 * Default limits. An idle connection stays open for longer than the usual minute of load balancers, so that a load
 * balancer never sends a request on a connection that is being closed.
 */
export const DEFAULT_LIMITS: ConnectionLimits = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  responseTimeout: 60_000,
  minResponseBytes: PIECE_BYTES,
  keepAliveTimeout: 75_000,
  closeTimeout: 2000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  maxIncompletePerAddress: 64,
  minAgeToReplace: 1000,
  maxConnections: MANAGEMENT_CONNECTIONS,
};

export function maxMainConnections(): number {
  return connectionsWithin(readDescriptorLimit());
}

export function connectionsWithin(descriptors: number): number {
  return Math.max(MIN_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS);
}

/** Returns the maximum number of event streams. The other connections remain available for requests. */
export function maxEventStreams(): number {
  return streamsWithin(maxMainConnections());
}

export function streamsWithin(connections: number): number {
  return Math.floor(connections * STREAM_SHARE);
}

/** Returns the limit of file descriptors. Node raises the soft limit to the hard limit at startup. */
function readDescriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? DEFAULT_DESCRIPTORS : Number(soft);
  } catch {
    return DEFAULT_DESCRIPTORS;
  }
}
