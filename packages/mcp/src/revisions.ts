/** Protocol revisions with a handshake, newest first. Older ones are rejected. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Stateless protocol revision, named in every request. */
export const MODERN_REVISION = '2026-07-28';

export const OLDEST_REVISION = '2024-11-05';
