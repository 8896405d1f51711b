/** One at a time, in the order of asking. */
export interface Mutex {
  /** Runs `work` when everything asked for before has ended. */
  run<Result>(work: () => Promise<Result> | Result): Promise<Result>;
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
  };
}
