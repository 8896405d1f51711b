/** What happens when the registry cannot be reached, or may not be asked (ENV-06). */
export const CACHE_MODES = ['always-revalidate', 'offline-first', 'offline-only'] as const;
export type CacheMode = (typeof CACHE_MODES)[number];
