export type Outcome =
  | { kind: 'answered' }
  | { kind: 'failed'; reason: string }
  | { kind: 'busy'; reason: string; wait_ms: number }
  | { kind: 'abandoned' };

export type Admission =
  | { kind: 'admitted'; end(outcome: Outcome): void }
  | { kind: 'refused'; wait_ms: number; reason: string };

export type BreakerState = 'closed' | 'half_open' | 'open';

export interface CircuitBreaker {
  state(): BreakerState;
  enter(): Admission;
}

export const MAX_FAILURES = 5;
export const FIRST_PAUSE_MS = 1000;
export const MAX_PAUSE_MS = 120_000;
/** Maximum pause that a provider may request, so that it cannot disable searches for a day. */
export const MAX_WAIT_MS = 600_000;

export function createCircuitBreaker(monotonicMs: () => number): CircuitBreaker {
  let failures = 0;
  let pause_ms = FIRST_PAUSE_MS;
  let closed_until = Number.NEGATIVE_INFINITY;
  let probing = false;
  let reason = '';

  function state(): BreakerState {
    if (monotonicMs() < closed_until) return 'open';
    return failures < MAX_FAILURES ? 'closed' : 'half_open';
  }

  function end(outcome: Outcome, is_probe: boolean): void {
    if (is_probe) probing = false;
    if (outcome.kind === 'failed' || outcome.kind === 'busy') ({ reason } = outcome);
    if (outcome.kind === 'answered') {
      failures = 0;
      pause_ms = FIRST_PAUSE_MS;
    } else if (outcome.kind === 'busy') {
      const wait_ms = Math.min(outcome.wait_ms, MAX_WAIT_MS);
      closed_until = Math.max(closed_until, monotonicMs() + wait_ms);
    } else if (outcome.kind === 'failed' && (is_probe || failures < MAX_FAILURES)) {
      failures = Math.min(failures + 1, MAX_FAILURES);
      if (failures < MAX_FAILURES) return;
      closed_until = monotonicMs() + pause_ms;
      pause_ms = Math.min(pause_ms * 2, MAX_PAUSE_MS);
    }
  }

  return {
    state,
    enter() {
      const now = state();
      if (now === 'open') return { kind: 'refused', wait_ms: closed_until - monotonicMs(), reason };
      if (now === 'half_open' && probing) {
        return { kind: 'refused', wait_ms: FIRST_PAUSE_MS, reason };
      }
      const is_probe = now === 'half_open';
      if (is_probe) probing = true;
      let ended = false;
      return {
        kind: 'admitted',
        end(outcome) {
          if (ended) return;
          ended = true;
          end(outcome, is_probe);
        },
      };
    },
  };
}
