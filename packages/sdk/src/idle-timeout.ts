/** Timeout that aborts its signal after a time without activity. */
export interface IdleTimeout {
  signal: AbortSignal;
  extend: (idle_ms?: number) => void;
  end: () => void;
}

/** Creates a timeout, which also aborts with the signal of the caller. */
export function startIdleTimeout(idle_ms: number, signal: AbortSignal | undefined): IdleTimeout {
  const controller = new AbortController();
  const abortIdle = (): void => {
    controller.abort(new DOMException('it timed out', 'TimeoutError'));
  };
  const follow = (): void => controller.abort(signal?.reason);
  let timer = setTimeout(abortIdle, idle_ms);
  signal?.addEventListener('abort', follow);
  if (signal?.aborted === true) follow();
  return {
    signal: controller.signal,
    extend: (next_ms = idle_ms) => {
      clearTimeout(timer);
      timer = setTimeout(abortIdle, next_ms);
    },
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', follow);
    },
  };
}

/** Resolves after a delay; rejects with the reason of the signal if that aborts first. */
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
