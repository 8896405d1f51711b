import { questions } from './all-benchmarks.ts';
import type { Benchmark, Measurement, RunResult } from './benchmark.ts';
import { partsOf, round } from './format-measurement.ts';

export interface Measured {
  rows: readonly string[];
  notes: readonly string[];
}

export function formatPage(measured: ReadonlyMap<string, Measured>, machine: string): string {
  const lines = [
    '# Benchmarks',
    '',
    'A benchmark measures speed or size. Most alternate between catalog and the simplest program that does the same',
    'work, after a warm-up, and compare the medians; the others have an absolute limit. Where wall time and CPU time',
    'disagree, CPU time decides. This project makes no other claims about speed. `./dev stress` runs the stress tests,',
    'which check correctness under load, faults and hostile input.',
    '',
    'Run `./dev bench <name>` to repeat a benchmark. `./dev bench --all` runs all of them and writes this page.',
    '',
    machine,
    '',
    ...questions.flatMap(({ title, benchmarks }) => [
      `## ${title}`,
      '',
      '| Measurement | Size | Result | Baseline | Ratio | CPU ratio | Goal | Met | Date |',
      '|---|---|---|---|---|---|---|---|---|',
      ...benchmarks.flatMap(({ name }) => measured.get(name)?.rows ?? []),
      '',
      ...benchmarks.flatMap(({ name, summary }) => [
        `- ${commandOf(name)} ${summary}`,
        ...(measured.get(name)?.notes ?? ['  - not measured yet']),
      ]),
      '',
    ]),
  ];
  return lines.join('\n');
}

function commandOf(name: string): string {
  return `\`./dev bench ${name}\`:`;
}

/** Reads the page, including benchmarks that do not run again. */
export function readPage(page: string): Map<string, Measured> {
  const lines = page.split('\n');
  const names = questions.flatMap(({ benchmarks }) => benchmarks.map(({ name }) => name));
  const all = names.map((name) => {
    const rows = lines.filter((line) => benchmarkOf(line, names) === name);
    const start = lines.findIndex((line) => line.startsWith(`- ${commandOf(name)}`)) + 1;
    const length = lines.slice(start).findIndex((line) => !line.startsWith('  - '));
    return [name, { rows, notes: lines.slice(start, start + length) }] as const;
  });
  return new Map(all.filter(([, { rows }]) => rows.length > 0));
}

/** Returns the benchmark of a row, which can be the name of a part; the longest matching name. */
function benchmarkOf(row: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => row.startsWith(`| ${name}`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Returns the rows and notes of a result. Missed goals are always included. */
export function toMeasured({ page_parts }: Benchmark, result: RunResult, date: Date): Measured {
  const shown = partsOf(result).filter(({ name, met }) => !met || (page_parts?.test(name) ?? true));
  return {
    rows: shown.map((part) => formatRow(part, date.toISOString().slice(0, 10))),
    notes: result.notes.map((note) => `  - ${note}`),
  };
}

function formatRow(part: Measurement, date: string): string {
  const cells = [
    part.name,
    part.n,
    `${round(part.value)} ${part.unit}`,
    part.baseline === null ? '' : `${round(part.baseline)} ${part.unit}`,
    part.ratio === null ? '' : round(part.ratio),
    part.cpu_ratio === null ? '' : round(part.cpu_ratio),
    part.goal,
    part.met ? 'yes' : 'no',
    date,
  ];
  return `| ${cells.join(' | ')} |`;
}
