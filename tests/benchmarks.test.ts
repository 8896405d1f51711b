import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { allBenchmarks } from '../bench/all-benchmarks.ts';
import {
  compare,
  measurementOfFailures,
  measurementOfRatio,
  median,
  resultOfParts,
} from '../bench/benchmark.ts';
import { formatPage, readPage, toMeasured } from '../bench/benchmarks-page.ts';
import { writeCatalog } from '../bench/fixtures/catalog.ts';
import { formatSamples, parseSamples, summarizeLastHour } from '../bench/memory/samples.ts';
import { measureCommand, type CommandRun } from '../bench/measure-command.ts';
import { hashTree } from '../bench/tree.ts';
import { allStressTests } from './stress/all-stress-tests.ts';

function run(wall_ms: number, cpu_ms: number): CommandRun {
  return { wall_ms, cpu_ms, status: 0, stdout: '', stderr: '' };
}

describe('docs/benchmarks.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/benchmarks.md'), 'utf8');

  test('has the current headings and summaries, and keeps its measurements if it is regenerated', () => {
    const machine = /^Measured on .*$/m.exec(page)?.[0] ?? '';
    const measured = readPage(page);
    expect(measured.size).toBeGreaterThan(10);
    expect(formatPage(measured, machine)).toBe(page);
  });

  test('shows the chosen parts of a result, and every missed goal', () => {
    const [benchmark] = allBenchmarks;
    if (benchmark === undefined) throw new Error('There are no benchmarks.');
    const part = (name: string, failures: number) => measurementOfFailures(name, 1, failures);
    const parts = [part('x-p50', 0), part('x-p99', 0), part('x-recall', 1)];
    const result = resultOfParts('x', parts, ['a note']);
    const chosen = { ...benchmark, page_parts: /p99$/ };
    const { rows, notes } = toMeasured(chosen, result, new Date('2026-01-02T03:04:05Z'));
    expect(rows).toEqual([
      '| x-p99 | 1 | 0 failures |  |  |  | value <= 0 | yes | 2026-01-02 |',
      '| x-recall | 1 | 1 failures |  |  |  | value <= 0 | no | 2026-01-02 |',
    ]);
    expect(notes).toEqual(['  - a note']);
  });
});

const SERVER_MODULES =
  /^@catalog\/testkit\/(?:services|postgres-database|database-pool|documented-database|s3-bucket|toxic-proxy)$/;

function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    if (from.startsWith('.')) reachedFrom(join(file, '..', from), reached);
    else reached.add(from);
  }
  return reached;
}

test.each([
  ...allBenchmarks.map(
    ({ name, servers }) => [`bench/benchmarks/${name}.ts`, servers === true] as const,
  ),
  ...allStressTests.map(
    ({ name, servers }) => [`tests/stress/${name}/${name}.ts`, servers === true] as const,
  ),
])('%s declares the servers that it uses', (path, servers) => {
  const modules = [...reachedFrom(join(import.meta.dirname, '..', path))];
  expect(servers).toBe(modules.some((name) => SERVER_MODULES.test(name)));
});

describe('compare', () => {
  test('alternates the sides, excludes the warm-up runs, and returns medians', () => {
    const order: string[] = [];
    const times = { subject: [900, 3, 30, 31, 32, 99], baseline: [900, 1, 10, 10, 10, 50] };
    const side = (name: 'subject' | 'baseline') => ({
      prepare: () => order.push(`prepare ${name}`),
      run: () => {
        order.push(name);
        const time = times[name].shift() ?? 0;
        return run(time, 2 * time);
      },
    });
    const comparison = compare(side('subject'), side('baseline'), { repeat: (times) => times });
    expect(comparison).toEqual({ value: 31, baseline: 10, ratio: 3.1, cpu_ratio: 3.1 });
    expect(order.slice(0, 8)).toEqual([
      'prepare baseline',
      'baseline',
      'prepare subject',
      'subject',
      'prepare subject',
      'subject',
      'prepare baseline',
      'baseline',
    ]);
  });

  test.each([
    [3, 3, true],
    [9, 3, true],
    [1, 3.1, false],
  ])('measurementOfRatio of ratio %s and CPU ratio %s: met is %s', (ratio, cpu_ratio, met) => {
    const comparison = { value: 1, baseline: 1, ratio, cpu_ratio };
    expect(measurementOfRatio('x', 1, comparison, 3).met).toBe(met);
  });

  test('has a median that is robust against an outlier', () => {
    expect(median([5, 1, 1000, 2, 3])).toBe(3);
  });
});

test('measureCommand includes child processes and keeps the output', () => {
  const busy =
    'while (process.cpuUsage().user < 150_000); console.log("out"); console.error("err"); process.exit(7)';
  const measured = measureCommand(['bash', '-c', `"$0" -e '${busy}'; exit $?`, process.execPath]);
  expect(measured).toMatchObject({ status: 7, stdout: 'out\n', stderr: 'err\n' });
  expect(measured.wall_ms).toBeGreaterThan(150);
  expect(measured.cpu_ms).toBeGreaterThan(100);
});

describe('writeCatalog', () => {
  test('writes on average two files and 3.5 KB per artifact, and the same files for the same seed', () => {
    const [one, two, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const written = writeCatalog(one, { n: 800, seed: '1' });
    expect(written.files / 800).toBeCloseTo(2, 0);
    expect(Math.abs(written.bytes / 800 - 3_500)).toBeLessThan(300);
    writeCatalog(two, { n: 800, seed: '1' });
    writeCatalog(other, { n: 800, seed: '2' });
    expect(hashTree(one)).toEqual(hashTree(two));
    expect(hashTree(one)).not.toEqual(hashTree(other));
    expect(hashTree(one).size).toBe(written.files);
  });
});

describe('memory samples', () => {
  const samples = Array.from({ length: 121 }, (_, minute) => ({
    seconds: minute * 60,
    rss: minute < 60 ? 300 : 400 + (minute - 60) / 6,
    heap_used: 80,
    heap_total: 100,
    external: 20.5,
  }));

  test('measure the growth in the last hour between medians of ten minutes', () => {
    const { minutes, max_rss, growth } = summarizeLastHour(samples);
    expect([minutes, max_rss]).toEqual([60, 410]);
    expect(growth).toBeCloseTo((409.1667 / 400.8333 - 1) * 100, 3);
  });

  test('keep one decimal after a round trip through a file', () => {
    const text = formatSamples(samples.slice(0, 2));
    expect(text.split('\n')[0]).toBe('seconds,rss,heap_used,heap_total,external');
    expect(parseSamples(text)).toEqual(samples.slice(0, 2));
  });
});
