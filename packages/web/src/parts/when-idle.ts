/** Latest start, in milliseconds, if the browser has no pause before. */
const MAX_WAIT_MS = 1000;

/** Runs a function once the browser has nothing more urgent to do. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(run, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(request);
}
