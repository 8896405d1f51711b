import type { RunResult, Measurement } from './benchmark.ts';

export function formatResult(result: RunResult): string {
  return formatLines(partsOf(result).map(formatMeasurement), result.notes);
}

function formatLines(lines: readonly string[], notes: readonly string[]): string {
  return `${[...lines, ...notes.map((note) => `  ${note}`)].join('\n')}\n`;
}

export function partsOf(result: RunResult): readonly Measurement[] {
  return result.parts ?? [result];
}

export function formatMeasurement(part: Measurement): string {
  return `${part.name} (n ${part.n}): ${describe(part)}; goal ${part.goal}: ${verdict(part)}`;
}

function describe({ value, unit, baseline, ratio, cpu_ratio }: Measurement): string {
  const measured = `${round(value)} ${unit}`;
  if (baseline === null) return measured;
  const ratios =
    ratio === null ? '' : `, ratio ${round(ratio)}, of CPU ${round(cpu_ratio ?? ratio)}`;
  return `${measured} against ${round(baseline)} ${unit}${ratios}`;
}

function verdict(measurement: Measurement): string {
  return measurement.met ? 'met' : 'NOT MET';
}

export function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
