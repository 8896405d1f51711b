import type { Measurement } from './figure.ts';
import type { Cost } from './timed-requests.ts';

/** How the p50 of a request grew between two sizes of a catalogue. */
export function growthPart(
  name: string,
  n: number,
  { subject, baseline }: { subject: Cost; baseline: Cost },
  atMost: number,
): Measurement {
  const ratio = subject.p50 / baseline.p50;
  return {
    name,
    value: subject.p50,
    unit: 'ms',
    baseline: baseline.p50,
    ratio,
    cpu_ratio: subject.cpu_ms / baseline.cpu_ms,
    n,
    goal: `ratio <= ${atMost}`,
    met: ratio <= atMost,
  };
}

export function growthNote(
  name: string,
  { subject, baseline }: { subject: Cost; baseline: Cost },
): string {
  const cost = ({ p50, cpu_ms }: Cost): string =>
    `${p50.toFixed(2)} ms, CPU ${cpu_ms.toFixed(2)} ms`;
  return `${name}: ${cost(subject)}; small: ${cost(baseline)}`;
}
