import type { CacheMode } from '@catalog/consumer/config/cache-modes';

/** The questions of an agent. */
export const TOOLS = [
  'load_domain',
  'search_domains',
  'search_artifacts',
  'load_artifact',
] as const;
export type Tool = (typeof TOOLS)[number];

/** What the registry does, or what becomes of its answers on the way. */
export const FAULTS = [
  'well',
  /** Nothing listens. */
  'down',
  /** Connections are taken and nothing is ever said. */
  'hanging',
  /** Answers come a byte at a time, too slowly to end in time. */
  'slow',
  /** Answers end in the middle, and the connection with them. */
  'cut',
  /** Answers end in the middle, and their length says that is all. */
  'truncating',
  /** Other bytes than those the content hash was made of. */
  'wrong_hash',
  /** A whole answer, of another artifact. */
  'other_artifact',
  /** A whole answer, of a version that was not asked for. */
  'other_version',
  /** The registry calls the token expired, and there is no other. */
  'expired_token',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What an answer says of where it came from. */
export type Answer =
  /** What the registry says now. */
  | { kind: 'fresh' }
  /** `status: offline`, `served_from_cache: true` and what the cache holds (CACHE-01). */
  | { kind: 'cached' }
  /** What the cache holds, and not a word about it (CACHE-05). */
  | { kind: 'silent' }
  /** Nothing, and `status: offline` (SPEC-43). */
  | { kind: 'empty' }
  | { kind: 'error'; code: string };

export interface Cell {
  mode: CacheMode;
  tool: Tool;
  fault: Fault;
  /** Whether the caller has loaded the artifact before. */
  cached: boolean;
  answer: Answer;
  /** The answer is there by then (SPEC-65), in milliseconds. */
  within_ms: number;
}

/** Time-outs of SPEC-65. */
export const LIMITS = { connect_ms: 2_000, discovery_ms: 10_000, load_ms: 30_000 } as const;

const MODES: readonly CacheMode[] = ['always-revalidate', 'offline-first', 'offline-only'];

const UNREACHABLE = error('network.registry_unreachable');

/**
 * What each question gets, written from the specification's table of cache modes (CACHE-01 to 07,
 * ERR-64) and SPEC-43 and SPEC-65, and nothing else.
 */
export function cells(
  limits: typeof LIMITS | Record<keyof typeof LIMITS, number> = LIMITS,
): Cell[] {
  return MODES.flatMap((mode) =>
    TOOLS.flatMap((tool) =>
      FAULTS.flatMap((fault) =>
        [true, false].map((cached) => ({
          mode,
          tool,
          fault,
          cached,
          answer: answerOf(mode, tool, fault, cached),
          within_ms: tool === 'load_artifact' ? limits.load_ms : limits.discovery_ms,
        })),
      ),
    ),
  );
}

function answerOf(mode: CacheMode, tool: Tool, fault: Fault, cached: boolean): Answer {
  // The registry is never contacted: whatever is wrong with it makes no difference (CACHE-06, 07).
  if (mode === 'offline-only') {
    return cached ? { kind: 'cached' } : error('network.offline_cache_miss');
  }
  if (fault === 'well') return { kind: 'fresh' };
  // The registry answers, and its answer is no. A cache is no way around it.
  if (fault === 'expired_token') return error('auth.token_expired');
  const isBytes = fault === 'wrong_hash' || fault === 'other_artifact' || fault === 'other_version';
  // Discovery carries no bytes that have a hash.
  if (isBytes && tool !== 'load_artifact') return { kind: 'fresh' };
  if (cached) return mode === 'offline-first' ? { kind: 'silent' } : { kind: 'cached' };
  if (isBytes) return error('materialize.content_hash_mismatch');
  if (mode === 'always-revalidate' || tool === 'load_artifact') return UNREACHABLE;
  return { kind: 'empty' };
}

function error(code: string): Answer {
  return { kind: 'error', code };
}
