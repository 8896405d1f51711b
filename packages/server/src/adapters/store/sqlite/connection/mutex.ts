export interface Mutex {
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
