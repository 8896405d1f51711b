import type { HeldLock, Locks } from '@catalog/core/ports/locks';

/** Creates locks for a store with a single process. They are granted in order of request. */
export function createLocalLocks(): Locks {
  const queues = new Map<string, Set<() => void>>();

  function hold(name: string, queue: Set<() => void>): HeldLock {
    let isHeld = true;
    return {
      lost: new AbortController().signal,
      async release() {
        if (!isHeld) return;
        isHeld = false;
        const [next] = queue;
        if (next === undefined) queues.delete(name);
        else next();
      },
    };
  }

  function takeFree(name: string): HeldLock {
    const queue = new Set<() => void>();
    queues.set(name, queue);
    return hold(name, queue);
  }

  return {
    async take(name, signal) {
      signal.throwIfAborted();
      const queue = queues.get(name);
      if (queue === undefined) return takeFree(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      let isMine = false;
      const start = (): void => {
        queue.delete(start);
        isMine = true;
        resolve();
      };
      const leave = (): void => resolve();
      queue.add(start);
      signal.addEventListener('abort', leave);
      await promise;
      signal.removeEventListener('abort', leave);
      if (isMine) return hold(name, queue);
      queue.delete(start);
      signal.throwIfAborted();
      throw new Error('A lock was neither given nor given up.');
    },
    tryTake: async (name) => (queues.has(name) ? undefined : takeFree(name)),
  };
}
