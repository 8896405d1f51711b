import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestOutcome } from './decide-coverage.ts';

export interface RunResults {
  finished_at: string;
  /** Hash of all source files at the end of the run. If it differs, the results are stale. */
  fingerprint: string;
  outcomes: TestOutcome[];
}

const RESULTS_FILE = '.cache/requirements.json';
const SOURCE_FOLDERS = ['packages', 'tests', 'tools', 'bench', 'docs/specification'];
const NOT_SOURCE: ReadonlySet<string> = new Set(['node_modules', 'dist']);

export function saveResults(root: string, outcomes: TestOutcome[], finishedAt: Date): void {
  const results: RunResults = {
    finished_at: finishedAt.toISOString(),
    fingerprint: sourceFingerprint(root),
    outcomes,
  };
  const file = join(root, RESULTS_FILE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
}

/** Does nothing without results of a complete run. */
export function replaceResults(
  root: string,
  files: readonly string[],
  outcomes: readonly TestOutcome[],
  finishedAt: Date,
): void {
  const before = getResults(root);
  if (before.kind !== 'fresh') return;
  const others = before.results.outcomes.filter(({ file }) => !files.includes(file));
  saveResults(root, [...others, ...outcomes], finishedAt);
}

/** Returns the results of the last complete run, or the reason why they cannot be used. */
export function getResults(
  root: string,
): { kind: 'fresh'; results: RunResults } | { kind: 'none' | 'stale' } {
  const file = join(root, RESULTS_FILE);
  if (!existsSync(file)) return { kind: 'none' };
  const results: RunResults = JSON.parse(readFileSync(file, 'utf8'));
  const current = sourceFingerprint(root);
  return results.fingerprint === current ? { kind: 'fresh', results } : { kind: 'stale' };
}

function sourceFingerprint(root: string): string {
  const lines: string[] = [];
  for (const folder of SOURCE_FOLDERS) {
    if (existsSync(join(root, folder))) collect(root, folder, lines);
  }
  return hash('sha256', lines.join('\n'));
}

function collect(root: string, folder: string, lines: string[]): void {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!NOT_SOURCE.has(entry.name)) collect(root, path, lines);
    } else if (entry.isFile()) {
      lines.push(`${path} ${hash('sha256', readFileSync(join(root, path)))}`);
    }
  }
}
