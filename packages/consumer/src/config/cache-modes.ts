/** Behavior if the registry is unreachable or must not be contacted (ENV-06). */
export const CACHE_MODES = ['always-revalidate', 'offline-first', 'offline-only'] as const;
export type CacheMode = (typeof CACHE_MODES)[number];
