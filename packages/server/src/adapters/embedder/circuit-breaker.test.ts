import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createCircuitBreaker,
  FIRST_PAUSE_MS,
  MAX_PAUSE_MS,
  MAX_WAIT_MS,
  MAX_FAILURES,
  type Admission,
  type CircuitBreaker,
} from './circuit-breaker.ts';

function opened(): { breaker: CircuitBreaker; pass: (ms: number) => void } {
  let now = 0;
  const breaker = createCircuitBreaker(() => now);
  return {
    breaker,
    pass: (ms) => {
      now += ms;
    },
  };
}

const FAILED = { kind: 'failed', reason: 'It failed.' } as const;

function admit(breaker: CircuitBreaker): Extract<Admission, { kind: 'admitted' }> {
  const admission = breaker.enter();
  if (admission.kind === 'refused') expect.unreachable('nothing may be sent');
  return admission;
}

function waitOf(breaker: CircuitBreaker): number {
  const admission = breaker.enter();
  return admission.kind === 'refused' ? admission.wait_ms : 0;
}

test('the circuit breaker doubles the pause up to the maximum and resets it after a response', () => {
  const { breaker, pass } = opened();
  for (let time = 0; time < MAX_FAILURES; time += 1) admit(breaker).end(FAILED);
  const pauses: number[] = [];
  for (let time = 0; time < 10; time += 1) {
    const wait = waitOf(breaker);
    pauses.push(wait);
    pass(wait);
    expect(breaker.state()).toBe('half_open');
    admit(breaker).end(FAILED);
  }
  expect(pauses.slice(0, 4)).toEqual([1, 2, 4, 8].map((factor) => factor * FIRST_PAUSE_MS));
  expect(pauses.at(-1)).toBe(MAX_PAUSE_MS);
  pass(MAX_PAUSE_MS);
  admit(breaker).end({ kind: 'answered' });
  expect(breaker.state()).toBe('closed');
  for (let time = 0; time < MAX_FAILURES; time += 1) admit(breaker).end(FAILED);
  expect(waitOf(breaker)).toBe(FIRST_PAUSE_MS);
});

test('the circuit breaker does not extend the pause for requests sent before it opened', () => {
  const { breaker, pass } = opened();
  const sent = Array.from({ length: 20 }, () => admit(breaker));
  for (const admission of sent.slice(0, 10)) admission.end(FAILED);
  pass(FIRST_PAUSE_MS / 2);
  for (const admission of sent.slice(10)) admission.end(FAILED);
  expect(waitOf(breaker)).toBe(FIRST_PAUSE_MS / 2);
});

test('limits the pause that a provider requests', () => {
  const { breaker } = opened();
  admit(breaker).end({ kind: 'busy', reason: 'It is busy.', wait_ms: 86_400_000_000 });
  expect(waitOf(breaker)).toBe(MAX_WAIT_MS);
});

test('the circuit breaker closes after a response, after any sequence of outcomes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(200_000) }),
    fc.record({
      kind: fc.constant('end' as const),
      outcome: fc.oneof(
        fc.constant(FAILED),
        fc.constant({ kind: 'answered' } as const),
        fc.constant({ kind: 'abandoned' } as const),
        fc.nat(1_000_000).map((wait_ms) => ({ kind: 'busy', reason: '', wait_ms }) as const),
      ),
    }),
    fc.record({ kind: fc.constant('enter' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { breaker, pass } = opened();
      const open: Extract<Admission, { kind: 'admitted' }>[] = [];
      for (const next of steps) {
        if (next.kind === 'pass') pass(next.ms);
        else if (next.kind === 'end') open.shift()?.end(next.outcome);
        else {
          const before = breaker.state();
          const admission = breaker.enter();
          if (before === 'open') expect(admission.kind).toBe('refused');
          if (before === 'closed') expect(admission.kind).toBe('admitted');
          if (admission.kind === 'admitted') open.push(admission);
          else expect(admission.wait_ms).toBeGreaterThan(0);
        }
      }
      for (const admission of open) admission.end({ kind: 'abandoned' });
      pass(MAX_WAIT_MS);
      admit(breaker).end({ kind: 'answered' });
      expect(breaker.state()).toBe('closed');
    }),
    { numRuns: 500 },
  );
});
