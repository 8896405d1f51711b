import type { ReceiverHealth } from '../ports/receivers.ts';

export type AttemptOutcome =
  | { kind: 'delivered' }
  /** `gone` is true after a response 410; `wait_ms` is the delay that the receiver requested. */
  | { kind: 'failed'; gone: boolean; wait_ms: number };

/** Number of consecutive failures from which dispatches are sent one at a time, with pauses. */
export const FAILURES_TO_PAUSE = 5;
/** Number of consecutive failures, and their minimum duration, that disable a receiver (SPEC-29). */
const FAILURES_TO_DISABLE = 32;
const DISABLE_AFTER_MS = 86_400_000;
/** Last index of the schedule that pauses use. */
const MAX_PAUSE_INDEX = 3;
const MAX_WAIT_MS = 86_400_000;

/** Returns the health of a receiver after an attempt. `schedule_ms` are the delays before retries. */
export function nextHealth(
  health: ReceiverHealth,
  outcome: AttemptOutcome,
  now: Date,
  schedule_ms: readonly number[],
): ReceiverHealth {
  const at = now.toISOString();
  if (outcome.kind === 'delivered') {
    return {
      ...health,
      failure_count: 0,
      failing_since: null,
      paused_until: null,
      last_delivery: at,
    };
  }
  const failure_count = health.failure_count + 1;
  const failing_since = health.failing_since ?? at;
  const pause_ms = Math.max(
    pauseAfter(failure_count, schedule_ms),
    Math.min(outcome.wait_ms, MAX_WAIT_MS),
  );
  const isHopeless =
    failure_count >= FAILURES_TO_DISABLE &&
    now.getTime() - Date.parse(failing_since) >= DISABLE_AFTER_MS;
  return {
    ...health,
    failure_count,
    failing_since,
    last_failure: at,
    paused_until: pause_ms === 0 ? health.paused_until : laterBy(now, pause_ms),
    disabled_by: health.disabled_by ?? (outcome.gone ? 'gone' : isHopeless ? 'failures' : null),
  };
}

function pauseAfter(failures: number, schedule_ms: readonly number[]): number {
  if (failures < FAILURES_TO_PAUSE) return 0;
  const pauses = schedule_ms.slice(0, MAX_PAUSE_INDEX + 1);
  return pauses[Math.min(failures - FAILURES_TO_PAUSE, pauses.length - 1)] ?? 0;
}

export function laterBy(from: Date, ms: number): string {
  return new Date(from.getTime() + ms).toISOString();
}
