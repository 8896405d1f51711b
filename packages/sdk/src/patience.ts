export interface Patience {
  signal: AbortSignal;
  /** Something came: the wait starts anew, and may be of another length from now on. */
  extend: (idle_ms?: number) => void;
  end: () => void;
}

/** A signal that fires when nothing has come for too long, or when the caller's does. */
export function startPatience(idle_ms: number, signal: AbortSignal | undefined): Patience {
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort(new DOMException('it timed out', 'TimeoutError'));
  };
  const follow = (): void => controller.abort(signal?.reason);
  let timer = setTimeout(giveUp, idle_ms);
  signal?.addEventListener('abort', follow);
  if (signal?.aborted === true) follow();
  return {
    signal: controller.signal,
    extend: (next_ms = idle_ms) => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, next_ms);
    },
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', follow);
    },
  };
}

/** Waits; rejects with the signal's reason when that fires first. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(toError(signal?.reason));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('stopped', 'AbortError');
}
