/** Runs so many tasks at a time; the others wait for their turn, or until they are told to stop. */
export type Lane = <Result>(task: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

export function createLane(width: number): Lane {
  let running = 0;
  /** First come, first served. */
  const waiting: ((has_turn: boolean) => void)[] = [];

  /** Whether it came before the reason to stop. */
  async function waitForTurn(signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (): void => {
      const place = waiting.indexOf(resolve);
      // It may have been called up a moment ago.
      if (place === -1) return;
      waiting.splice(place, 1);
      resolve(false);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', leave, { once: true });
    const has_turn = await promise;
    signal.removeEventListener('abort', leave);
    return has_turn;
  }

  return async (task, signal) => {
    signal.throwIfAborted();
    // Who ends hands its place to the first that waits, so that nobody comes between.
    if (running < width) running += 1;
    else if (!(await waitForTurn(signal))) signal.throwIfAborted();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next(true);
    }
  };
}
