import type { CacheMode } from '@catalog/consumer/config/cache-modes';

export const TOOLS = [
  'load_domain',
  'search_domains',
  'search_artifacts',
  'load_artifact',
] as const;
export type Tool = (typeof TOOLS)[number];

export const FAULTS = [
  'well',
  'down',
  'hanging',
  /** Responses arrive one byte at a time, too slowly for the timeout. */
  'slow',
  /** Responses stop in the middle, and the connection closes. */
  'cut',
  /** Responses stop in the middle, with a matching content length. */
  'truncating',
  'wrong_hash',
  'other_artifact',
  'other_version',
  /** The registry rejects the token as expired, and no other token exists. */
  'expired_token',
] as const;
export type Fault = (typeof FAULTS)[number];

export type Answer =
  | { kind: 'fresh' }
  /** `status: offline`, `served_from_cache: true` and the cached content (CACHE-01). */
  | { kind: 'cached' }
  /** Cached content without a marker (CACHE-05). */
  | { kind: 'silent' }
  /** An empty result with `status: offline` (SPEC-43). */
  | { kind: 'empty' }
  | { kind: 'error'; code: string };

export interface Cell {
  mode: CacheMode;
  tool: Tool;
  fault: Fault;
  cached: boolean;
  answer: Answer;
  /** Time limit for the response in milliseconds (SPEC-65). */
  within_ms: number;
}

/** Timeouts of SPEC-65. */
export const LIMITS = { connect_ms: 2_000, discovery_ms: 10_000, load_ms: 30_000 } as const;

const MODES: readonly CacheMode[] = ['always-revalidate', 'offline-first', 'offline-only'];

const UNREACHABLE = error('network.registry_unreachable');

/**
 * Returns the expected response of each cell. Written only from the specification's table of cache
 * modes (CACHE-01 to 07, ERR-64), SPEC-43 and SPEC-65.
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
  // The client never contacts the registry, so faults have no effect (CACHE-06, 07).
  if (mode === 'offline-only') {
    return cached ? { kind: 'cached' } : error('network.offline_cache_miss');
  }
  if (fault === 'well') return { kind: 'fresh' };
  // The registry rejects the request. The cache must not bypass that.
  if (fault === 'expired_token') return error('auth.token_expired');
  const isBytes = fault === 'wrong_hash' || fault === 'other_artifact' || fault === 'other_version';
  // These faults change the content of artifacts, which discovery responses do not contain.
  if (isBytes && tool !== 'load_artifact') return { kind: 'fresh' };
  if (cached) return mode === 'offline-first' ? { kind: 'silent' } : { kind: 'cached' };
  if (isBytes) return error('materialize.content_hash_mismatch');
  if (mode === 'always-revalidate' || tool === 'load_artifact') return UNREACHABLE;
  return { kind: 'empty' };
}

function error(code: string): Answer {
  return { kind: 'error', code };
}
