import { inParallel } from '@catalog/core/in-parallel';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { allFigures } from '../bench/all-figures.ts';
import type { Figure, FigureResult, Measurement } from '../bench/figure.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/figures.md');

/**
 * `./dev figure <name> [--n N | --small] [--seed S] [--json]`, `./dev figures [--texts | name...]`, and
 * `./dev figure --small` for every change.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      n: { type: 'string' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
      texts: { type: 'boolean', default: false },
    },
  });
  const [name] = positionals;
  if (values.small && name === undefined) return runAllSmall(values.seed);
  if (values.texts) return rewriteTexts();
  if (values.all) return runAll(values.seed, positionals, values.n);
  const figure = allFigures.find((known) => known.name === name);
  if (!figure) {
    const names = allFigures.map((known) => `  ${known.name}: ${known.summary}`).join('\n');
    process.stderr.write(`${name ? `Unknown benchmark "${name}". ` : ''}Available:\n${names}\n`);
    return 2;
  }
  if (values.small) return runSmall(figure, values.seed);
  const n = values.n === undefined ? figure.n : Number(values.n);
  if (!Number.isInteger(n) || n < 1) {
    process.stderr.write('--n must be an integer above 0\n');
    return 2;
  }
  const result = await runFigure(figure, n, values.seed);
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatResult(result));
  return result.met ? 0 : 1;
}

async function runFigure(figure: Figure, n: number, seed: string): Promise<FigureResult> {
  const folder = mkdtempSync(join(tmpdir(), `catalog-${figure.name}-`));
  try {
    const repeat = (times: number): number => (n <= figure.small_n ? 1 : times);
    return await figure.run({ n, seed, folder, repeat });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Figures that run at the same time at their small size: most of them wait more than they compute. */
const PARALLEL = 2;

/**
 * Every figure at its small size, each in its own process. Failures are printed again at the end, so
 * that they are easy to find in a long log.
 */
async function runAllSmall(seed: string): Promise<number> {
  const failures = new Map<string, string>();
  const run = async ({ name }: Figure): Promise<void> => {
    const start = performance.now();
    const { code, output } = await runSmallApart(name, seed);
    process.stdout.write(output);
    if (code !== 0) failures.set(name, output);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    process.stdout.write(`${name}: ended after ${seconds} s\n`);
  };
  const together = allFigures.filter(({ alone }) => alone !== true);
  const alone = allFigures.filter((figure) => figure.alone === true);
  await inParallel(together, { parallel: PARALLEL }, run);
  for (const figure of alone) await run(figure);
  if (failures.size === 0) return 0;
  for (const failure of failures.values()) process.stdout.write(failure);
  process.stdout.write(`failed: ${[...failures.keys()].join(', ')}\n`);
  return 1;
}

async function runSmallApart(
  name: string,
  seed: string,
): Promise<{ code: number | null; output: string }> {
  const words = [import.meta.filename, name, '--small', '--seed', seed];
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
}

/**
 * A figure at its small size. The speed of a loaded machine fails nobody; a wrong result does, and so does
 * a figure that stops with an error.
 */
async function runSmall(figure: Figure, seed: string): Promise<number> {
  try {
    const result = await runFigure(figure, figure.small_n, seed);
    process.stdout.write(formatResult(result));
    if (result.met || figure.kind === 'speed') return 0;
    for (const part of partsOf(result)) {
      if (!part.met) process.stdout.write(`failed ${formatMeasurement(part)}\n`);
    }
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    process.stdout.write(`failed ${figure.name} stopped with an error: ${first}\n`);
    process.stdout.write(`${inspect(error)}\n`);
  }
  return 1;
}

/** Runs the named benchmarks, or all of them, and writes the results to the document. */
async function runAll(seed: string, names: readonly string[], n?: string): Promise<number> {
  const measured = new Map<string, Page>();
  let met = true;
  for (const figure of allFigures) {
    if (names.length > 0 && !names.includes(figure.name)) continue;
    const result = await runFigure(figure, n === undefined ? figure.n : Number(n), seed);
    process.stdout.write(formatResult(result));
    measured.set(figure.name, formatPage(result));
    met &&= result.met;
  }
  // Read last: another run may have written others meanwhile.
  writeFileSync(DOCUMENT, formatDocument(new Map([...readPages(), ...measured])));
  return met ? 0 : 1;
}

/** Rewrites the title, the introduction and the summaries, and keeps every measurement. */
function rewriteTexts(): number {
  const document = readFileSync(DOCUMENT, 'utf8');
  const machine = document.split('\n').find((line) => line.startsWith(MEASURED_ON));
  writeFileSync(DOCUMENT, formatDocument(readPages(), machine));
  return 0;
}

/** The measurements of one benchmark or stress test in the document. */
interface Page {
  rows: string[];
  notes: string[];
}

const MEASURED_ON = 'Measured on ';

/** Returns the measurements in the document, by name. Those that are not measured again stay. */
function readPages(): Map<string, Page> {
  const [table = '', ...sections] = readFileSync(DOCUMENT, 'utf8').split('\n## ');
  const rows = table.split('\n').filter((line) => /^\| [a-z]/.test(line));
  const names = sections.map((section) => section.slice(0, section.indexOf('\n')));
  return new Map(
    sections.map((section, index) => {
      const name = names[index] ?? '';
      const own = rows.filter((row) => figureOf(row, names) === name);
      const notes = section.split('\n').filter((line) => line.startsWith('- '));
      return [name, { rows: own, notes }];
    }),
  );
}

/** A row is named after its figure, or after a part of it: the longest name that fits is meant. */
function figureOf(row: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => row.startsWith(`| ${name}`))
    .toSorted((a, b) => b.length - a.length)[0];
}

function formatResult(result: FigureResult): string {
  return formatLines(partsOf(result).map(formatMeasurement), result.notes);
}

function formatLines(lines: readonly string[], notes: readonly string[]): string {
  return `${[...lines, ...notes.map((note) => `  ${note}`)].join('\n')}\n`;
}

function partsOf(result: FigureResult): readonly Measurement[] {
  return result.parts ?? [result];
}

function formatMeasurement(part: Measurement): string {
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

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function formatDocument(pages: ReadonlyMap<string, Page>, machine = describeMachine()): string {
  const measured = allFigures.flatMap((figure) => {
    const page = pages.get(figure.name);
    return page === undefined ? [] : [{ figure, page }];
  });
  const lines = [
    '# Benchmarks and stress tests',
    '',
    'A benchmark measures speed: it alternates between catalog and the simplest program that does the same work,',
    'after a warm-up, and takes the median of five runs. A stress test measures correctness: it counts failures under',
    'load, faults or hostile input. This project makes no other claims about speed or fault tolerance.',
    '',
    'Run `./dev figure <name>` to repeat one of them. `./dev figures` writes this page.',
    '',
    machine,
    '',
    '| Name | n | Value | Baseline | Ratio | CPU ratio | Goal | Met |',
    '|---|---|---|---|---|---|---|---|',
    ...measured.flatMap(({ page }) => page.rows),
    '',
    ...measured.flatMap(({ figure, page }) => [...formatSection(figure, page), '']),
  ];
  return lines.join('\n');
}

function describeMachine(): string {
  const { model = 'unknown processor' } = cpus()[0] ?? {};
  const { versions, platform } = process;
  return `${MEASURED_ON}${cpus().length} x ${model}, Node ${versions.node}, ${platform}.`;
}

function formatSection({ name, kind, summary }: Figure, { notes }: Page): string[] {
  const title = kind === 'speed' ? 'Benchmark' : 'Stress test';
  return [`## ${name}`, '', `**${title}.** ${summary}`, '', ...notes];
}

function formatPage(result: FigureResult): Page {
  return {
    rows: partsOf(result).map(formatRow),
    notes: result.notes.map((note) => `- ${note}`),
  };
}

function formatRow(part: Measurement): string {
  const cells = [
    part.name,
    part.n,
    `${round(part.value)} ${part.unit}`,
    part.baseline === null ? '' : `${round(part.baseline)} ${part.unit}`,
    part.ratio === null ? '' : round(part.ratio),
    part.cpu_ratio === null ? '' : round(part.cpu_ratio),
    part.goal,
    part.met ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

// Exits even if a failed benchmark left something running.
process.exit(await main());
