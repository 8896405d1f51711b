import { readFileSync } from 'node:fs';
import { PIECE_BYTES } from './write-in-pieces.ts';

/** Durations in milliseconds, sizes in bytes. */
export interface ConnectionLimits {
  /** From the connection to the end of the TLS handshake. */
  handshakeTimeout: number;
  headersTimeout: number;
  /** For the whole request, with its body. */
  requestTimeout: number;
  /** For a client to read `minResponseBytes` of a response, or all of it. Event streams are exempt. */
  responseTimeout: number;
  minResponseBytes: number;
  keepAliveTimeout: number;
  /** From the end of a connection on this side until it is destroyed. */
  closeTimeout: number;
  connectionsCheckingInterval: number;
  maxHeaderSize: number;
  maxIncompletePerAddress: number;
  /** Age from which such a connection is closed for a newer one; until then, the newer one is closed. */
  minAgeToReplace: number;
  maxConnections: number;
}

/** Descriptors that the main listener leaves to everything else: store, git, management listener. */
const RESERVED_DESCRIPTORS = 128;
/** Limit of the management listener, out of the reserve. */
const MANAGEMENT_CONNECTIONS = 48;
const MIN_CONNECTIONS = 64;
/** Share of the connections of the main listener that event streams can use. */
const STREAM_SHARE = 0.75;
const DEFAULT_DESCRIPTORS = 1024;

/**
 * An idle connection outlives the minute that load balancers keep theirs, so that a request never meets
 * a connection that is just being closed.
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

/** The rest of the connections remain available for other requests. */
export function maxEventStreams(): number {
  return streamsWithin(maxMainConnections());
}

export function streamsWithin(connections: number): number {
  return Math.floor(connections * STREAM_SHARE);
}

/** Node raises the soft limit to the hard one when it starts, so this is the limit in effect. */
function readDescriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? DEFAULT_DESCRIPTORS : Number(soft);
  } catch {
    return DEFAULT_DESCRIPTORS;
  }
}
