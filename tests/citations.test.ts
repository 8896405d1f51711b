import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSources } from '../tools/syntax/load-sources.ts';
import { findUnresolved } from './citations/find-unresolved.ts';
import { loadCitable } from './citations/load-citable.ts';

const ROOT = join(import.meta.dirname, '..');

const WRONG_ON_PURPOSE: ReadonlySet<string> = new Set([
  'tests/citations.test.ts',
  'tests/requirements/decide-coverage.test.ts',
  'tests/requirements/reporter.test.ts',
]);

const CITING = ['.ts', '.md', '.tsv', 'planted-bugs.json'];

function loadCiting(): Map<string, string> {
  const files = loadSources(ROOT, ['packages', 'tests', 'tools', 'bench', 'docs'], CITING);
  for (const name of readdirSync(ROOT).filter((entry) => entry.endsWith('.md'))) {
    files.set(name, readFileSync(join(ROOT, name), 'utf8'));
  }
  for (const path of WRONG_ON_PURPOSE) files.delete(path);
  return files;
}

test('every citation in code and docs resolves', () => {
  const known = loadCitable(ROOT);
  const lines = [...loadCiting()].flatMap(([path, text]) =>
    findUnresolved(text, known).map(
      ({ line, citation, reason }) => `${path}:${line} ${citation}: ${reason}`,
    ),
  );
  expect(lines).toEqual([]);
});

test('decisions, threats, decision records and requirements can be cited', () => {
  const kinds = Map.groupBy(loadCitable(ROOT), (id) => /^(?:SPEC|ADR|T(?=\d))/.exec(id)?.[0]);
  const counts = ['SPEC', 'T', 'ADR', undefined].map((kind) => kinds.get(kind)?.length ?? 0);
  expect(counts.map((count) => count > 50)).toEqual([true, true, true, true]);
});

const known = new Set(['SPEC-21', 'SPEC-72', 'T33', 'ADR-0022', 'CACHE-06', 'CACHE-07', 'HA-05']);

test.each([
  ['// The winner is chosen first (SPEC-21).'],
  ["test('costs no more than pattern times id (T33)', () => {});"],
  ['/** No framework (ADR-0022). SPEC-21 and SPEC-72 agree. */'],
  ["verifies(['CACHE-06', 'HA-05'], 'a claim', () => {});"],
  ['// Nothing is contacted (CACHE-06, 07).'],
  ['const end = `${day}T23:59:59.000Z`; const T1 = 1;'],
  ['// UTF-16 code units, SHA-256, a CRC-32, MPL-2.0.'],
  ['// This decision takes 21 ms, and decisions are 3 in number.'],
])('resolves the citation %s', (text) => {
  expect(findUnresolved(text, known)).toEqual([]);
});

test.each([
  ['// SPEC-88 has no page.', 'SPEC-88'],
  ['// SPEC-021', 'SPEC-021'],
  ['// T99', 'T99'],
  ['// ADR-0099', 'ADR-0099'],
  ['// ADR-22', 'ADR-22'],
  ["verifies('HA-99', 'a claim', () => {});", 'HA-99'],
  ['// HA-5', 'HA-5'],
  ['// HUH-05', 'HUH-05'],
  ['// CACHE-06 to 09', 'CACHE-09'],
  ['// SPEC-21 and 72', 'SPEC-21 and 72'],
  ['// (decision 21)', 'decision 21'],
  ['// Decisions 21 and 72', 'Decisions 21'],
  ['// decision record 0022', 'decision record 0022'],
  ['/**\n * What is hidden is absent (decision\n * 21).\n */', 'decision * 21'],
  ['// a long line that ends in decision record\n// 0022', 'decision record // 0022'],
  ['// ADR 0022', 'ADR 0022'],
  ['// as adapters are (0022)', '(0022)'],
  ['// threat T33', 'threat T33'],
  ['// threat 33', 'threat 33'],
])('reports the citation %j', (text, citation) => {
  expect(findUnresolved(text, known).map((found) => found.citation)).toContain(citation);
});

test('reports the line of an unresolved citation', () => {
  expect(findUnresolved('one\n// T99\n// T33\n', known)).toEqual([
    { line: 2, citation: 'T99', reason: 'does not exist' },
  ]);
});
