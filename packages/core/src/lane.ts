/** Runs a limited number of tasks concurrently. Other tasks wait in order, until their signal aborts. */
export type Lane = <Result>(task: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

export function createLane(width: number): Lane {
  let running = 0;
  const waiting: ((has_turn: boolean) => void)[] = [];

  async function waitForSlot(signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (): void => {
      const place = waiting.indexOf(resolve);
      // The task has just been started.
      if (place === -1) return;
      waiting.splice(place, 1);
      resolve(false);
    };
    waiting.push(resolve);
    signal?.addEventListener('abort', leave, { once: true });
    const has_turn = await promise;
    signal?.removeEventListener('abort', leave);
    return has_turn;
  }

  return async (task, signal) => {
    signal?.throwIfAborted();
    // A finished task passes its place to the next one in the queue.
    if (running < width) running += 1;
    else if (!(await waitForSlot(signal))) signal?.throwIfAborted();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next(true);
    }
  };
}
