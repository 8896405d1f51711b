/** A failure that repeats every second is logged once in this time. */
const QUIET_MS = 60_000;

/** Returns a function that returns true at most once a minute. */
export function createLogThrottle(now: () => Date): () => boolean {
  let logged_at = -Infinity;
  return () => {
    const at = now().getTime();
    if (at - logged_at < QUIET_MS) return false;
    logged_at = at;
    return true;
  };
}
