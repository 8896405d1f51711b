import type { VectorEngine } from '@catalog/core/ports/vector-engine';
import { unusable } from './call-engine.ts';

/** Decides whether an engine that failed is asked again yet. */
export interface EngineBreaker {
  enter():
    | {
        kind: 'admitted';
        end(outcome: { kind: 'answered' } | { kind: 'failed'; reason: string }): void;
      }
    | { kind: 'refused'; reason: string };
}

/** An engine that is left alone for a while when it does not answer, so that no search waits for it. */
export function guardEngine(engine: VectorEngine, breaker: EngineBreaker): VectorEngine {
  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    const admission = breaker.enter();
    if (admission.kind === 'refused') throw unusable(engine.name, 'it did not respond');
    try {
      const result = await work();
      admission.end({ kind: 'answered' });
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      admission.end({ kind: 'failed', reason });
      throw error;
    }
  }

  return {
    name: engine.name,
    batch_size: engine.batch_size,
    check: (...given) => guarded(() => engine.check(...given)),
    put: (...given) => guarded(() => engine.put(...given)),
    remove: (...given) => guarded(() => engine.remove(...given)),
    removeModel: (...given) => guarded(() => engine.removeModel(...given)),
    count: (...given) => guarded(() => engine.count(...given)),
    query: (...given) => guarded(() => engine.query(...given)),
  };
}
