import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './linter.ts';

/**
 * The findings in comments, test titles and decision records that are older than the check: one line
 * each, the hash of rule, message and words. Files can be renamed and comments moved. A comment that is
 * edited must pass, and a line without a finding must be removed, so the list only becomes shorter.
 */
const FILE = 'tools/prose/baseline.txt';

export interface Comparison {
  /** Findings that are not in the baseline. */
  added: Finding[];
  /** Lines of the baseline that are still needed, in order. */
  needed: string[];
  /** Number of lines without a finding. */
  stale: number;
}

export function readBaseline(root: string): string[] {
  return readFileSync(join(root, FILE), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export function writeBaseline(root: string, lines: readonly string[]): void {
  writeFileSync(join(root, FILE), lines.map((line) => `${line}\n`).join(''));
}

/** Each line of the baseline covers one finding. */
export function compareWithBaseline(
  findings: readonly Finding[],
  baseline: readonly string[],
): Comparison {
  const left = new Map<string, number>();
  for (const line of baseline) left.set(line, (left.get(line) ?? 0) + 1);
  const added: Finding[] = [];
  const needed: string[] = [];
  for (const finding of findings) {
    const line = lineOf(finding);
    const count = left.get(line) ?? 0;
    if (count === 0) added.push(finding);
    else {
      left.set(line, count - 1);
      needed.push(line);
    }
  }
  return { added, needed: needed.sort(), stale: baseline.length - needed.length };
}

const HASH_LENGTH = 12;

export function lineOf({ rule, message, words }: Finding): string {
  const hash = createHash('sha256').update(JSON.stringify([rule, message, words]));
  return hash.digest('hex').slice(0, HASH_LENGTH);
}
