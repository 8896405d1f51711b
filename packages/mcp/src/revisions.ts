/** The revisions of the protocol with a handshake, the newest first. Older ones are refused. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The revision without one: each request says for itself what it speaks. */
export const MODERN_REVISION = '2026-07-28';

/** The oldest revision anybody is answered in. */
export const OLDEST_REVISION = '2024-11-05';
