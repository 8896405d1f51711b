const QUIET_MS = 60_000;

export function createLogThrottle(now: () => Date): () => boolean {
  let logged_at = -Infinity;
  return () => {
    const at = now().getTime();
    if (at - logged_at < QUIET_MS) return false;
    logged_at = at;
    return true;
  };
}
