import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spellingsFor } from './check-inline-commands.ts';
import { inlinePrograms } from './inline-programs.ts';
import { inlineTable, isCovered } from './inline-table.ts';
import { isListed } from './spelled-artifact.ts';
import { spellings } from './spellings.ts';

/** From `--inline-commands --json`. */
const EXECUTED: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'executed.json'), 'utf8'),
);

test('spellings have unique titles and are generated in the same way each time', () => {
  const titles = spellings().map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(spellings()).toEqual(spellings());
});

describe.each(inlinePrograms)('inline commands of $name', (program) => {
  const executed = EXECUTED[program.name] ?? [];
  const known = spellingsFor(program);

  test('executes at least 20 spellings, and all of them are generated', () => {
    expect(executed.length).toBeGreaterThanOrEqual(20);
    const titles = known.map(({ title }) => title);
    expect(executed.filter((title) => !titles.includes(title))).toEqual([]);
  });

  test('finds every executed spelling in the capability list', () => {
    const missed = known
      .filter(({ title }) => executed.includes(title))
      .filter((spelling) => !isListed(spelling, program.commands));
    expect(missed.map(({ title }) => title)).toEqual([]);
  });
});

test('isCovered rejects a program that executes a missed spelling or too few spellings', () => {
  const titles = Array.from({ length: 20 }, (_, index) => `t${index}`);
  const report = {
    program: 'demo',
    version: '1.0.0',
    spellings: 30,
    expanded: 29,
    executed: titles,
    missed: [],
  };
  expect(isCovered(report)).toBe(true);
  expect(inlineTable([report])).toBe(
    'demo: 30 spellings, 20 executed, 0 missed\n  rejected by the program: 1\n',
  );
  const missing = { ...report, missed: ['t1'] };
  expect(isCovered(missing)).toBe(false);
  expect(inlineTable([missing])).toContain('  missed: t1\n');
  const idle = { ...report, executed: titles.slice(1) };
  expect(isCovered(idle)).toBe(false);
  expect(inlineTable([idle])).toContain('fewer than 20 spellings were executed');
});
