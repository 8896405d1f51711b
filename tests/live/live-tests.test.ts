import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { verifies } from '@catalog/testkit/verifies';
import { LIVE_BACKENDS, openLiveBackend, type LiveVariables } from './live-backends.ts';
import { startLoopbackQdrant } from './loopback-backends.ts';

const ROOT = join(import.meta.dirname, '../..');

interface LiveTestRun {
  code: number;
  passed: number;
  skipped: string[];
}

/** Runs the live tests like `./dev live`, with a separate `test.env`. */
async function runLiveTests(variables: LiveVariables): Promise<LiveTestRun> {
  const file = join(mkdtempSync(join(tmpdir(), 'catalog-live-')), 'test.env');
  const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(file, lines.join(''));
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], CATALOG_LIVE_TEST_ENV: file };
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config=tests/live/vitest.config.ts'];
  return new Promise((ended) => {
    execFile(process.execPath, words, { cwd: ROOT, env }, (error, stdout) => {
      const counted = /^(\d+) passed, \d+ failed$/m.exec(stdout);
      ended({
        code: error === null ? 0 : 1,
        passed: Number(counted?.[1] ?? -1),
        skipped: stdout.split('\n').filter((line) => line.startsWith('skipped ')),
      });
    });
  });
}

const timeout = 180_000;

describe('the live tests', () => {
  verifies(
    'VEC-07',
    'are all skipped without the master switch, regardless of test.env',
    async () => {
      const backends = await startLoopbackQdrant();
      onTestFinished(() => backends.close());
      const run = await runLiveTests({ ...backends.variables, CATALOG_LIVE_EXTERNAL: '0' });
      expect(run).toMatchObject({ code: 0, passed: 0 });
      expect(run.skipped.length).toBeGreaterThan(30);
      for (const line of run.skipped) expect(line).toContain('CATALOG_LIVE_EXTERNAL is not 1');
    },
    { timeout },
  );

  verifies(
    ['VEC-05', 'VEC-08'],
    'skip a backend with missing variables and report the reason, while the others run',
    async () => {
      const backends = await startLoopbackQdrant();
      onTestFinished(() => backends.close());
      const run = await runLiveTests(backends.variables);
      expect(run.code).toBe(0);
      expect(run.passed).toBeGreaterThan(10);
      expect(run.skipped).toHaveLength(2 * run.passed);
      for (const line of run.skipped) {
        expect(line).toMatch(/test\.env has no CATALOG_(?:PINECONE|WEAVIATE)_\w+/);
      }
    },
    { timeout },
  );

  verifies('VEC-09', 'run only for a release or a manual dispatch', () => {
    const workflow = parse(readFileSync(join(ROOT, '.github/workflows/live-vectors.yml'), 'utf8'));
    expect(Object.keys(workflow.on)).toEqual(['release', 'workflow_dispatch']);
    expect(workflow.on.release).toEqual({ types: ['published'] });
    const { steps } = workflow.jobs['live-vectors'];
    expect(steps.at(-1)).toMatchObject({ run: './dev live', env: { CATALOG_LIVE_EXTERNAL: '1' } });
    for (const file of ['tools/ci.ts', 'tools/nightly.ts', '.ci/run', 'vitest.config.ts']) {
      expect(readFileSync(join(ROOT, file), 'utf8')).not.toContain('CATALOG_LIVE_EXTERNAL');
    }
    expect(readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8')).toContain('.live.test.ts');
  });
});

describe('test.env', () => {
  const example = readFileSync(join(ROOT, 'test.env.example'), 'utf8');
  const names = [...example.matchAll(/^(CATALOG_\w+)=/gm)].map(([, name]) => name ?? '');

  verifies(
    ['VEC-05', 'VEC-06'],
    'contains the variables of every backend, and each backend reports its missing variables',
    () => {
      for (const backend of LIVE_BACKENDS) {
        for (const collection of ['vectors', 'texts'] as const) {
          const opened = openLiveBackend({ CATALOG_LIVE_EXTERNAL: '1' }, backend, collection);
          if (opened.kind === 'opened') return expect.unreachable(backend);
          const requestedVariables = opened.reason.match(/CATALOG_\w+/g) ?? [];
          expect(names).toEqual(expect.arrayContaining([...requestedVariables]));
          const own = requestedVariables.filter((name) =>
            name.startsWith(`CATALOG_${backend.toUpperCase()}_`),
          );
          expect(own).toEqual(requestedVariables);
          const given = Object.fromEntries(requestedVariables.map((name) => [name, 'Given']));
          const all = { ...given, CATALOG_LIVE_EXTERNAL: '1' };
          expect(openLiveBackend(all, backend, collection)).toMatchObject({ kind: 'opened' });
          if (collection === 'texts') expect(requestedVariables.length).toBeGreaterThanOrEqual(3);
        }
      }
      return undefined;
    },
  );
});
