import { expect, test } from 'vitest';
import { createDependencies, type DependencyCheck } from './dependencies.ts';
import { openLog } from './log.ts';

const fine: DependencyCheck = async () => undefined;
const ALL_FINE = {
  object_store: fine,
  identity_provider: fine,
  embedding_provider: fine,
  git_host: fine,
};

function recordLog() {
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text) };
  const { log } = openLog({ level: 'info', format: 'json', output });
  return { log, lines };
}

test('lists each unavailable dependency and logs each change of state once', async () => {
  const { log, lines } = recordLog();
  const { signal } = new AbortController();
  const lost = new Set<string>();
  const check =
    (part: string): DependencyCheck =>
    async () => {
      if (lost.has(part)) throw new Error(`no ${part}`);
    };
  const dependencies = createDependencies({
    ...ALL_FINE,
    object_store: check('object_store'),
    git_host: check('git_host'),
  });
  await dependencies.check(log, signal);
  expect(dependencies.listDegraded()).toEqual([]);
  expect(lines).toEqual([]);

  lost.add('git_host').add('object_store');
  for (let round = 0; round < 3; round += 1) await dependencies.check(log, signal);
  expect(dependencies.listDegraded()).toEqual(['object_store', 'git_host']);
  expect(lines).toEqual([
    expect.stringMatching(/"part":"object_store".*no object_store.*is unavailable/),
    expect.stringMatching(/"part":"git_host".*no git_host.*is unavailable/),
  ]);

  lost.clear();
  for (let round = 0; round < 3; round += 1) await dependencies.check(log, signal);
  expect(dependencies.listDegraded()).toEqual([]);
  expect(lines).toHaveLength(4);
  expect(lines.slice(2).join('')).toMatch(/the object store has recovered[^]*the git hosts have/);
});

test('a dependency check that hangs is not repeated and counts as a failure', async () => {
  const { log, lines } = recordLog();
  const { signal } = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let started = 0;
  const dependencies = createDependencies({
    ...ALL_FINE,
    object_store: () => {
      started += 1;
      return promise;
    },
  });
  await Promise.all([dependencies.check(log, signal), dependencies.check(log, signal)]);
  expect(started).toBe(1);
  expect(dependencies.listDegraded()).toEqual(['object_store']);
  expect(lines).toHaveLength(1);
  resolve();
  await dependencies.check(log, signal);
  expect(dependencies.listDegraded()).toEqual([]);
});

test('a dependency check that a shutdown interrupts does not count as a failure', async () => {
  const { log, lines } = recordLog();
  const closing = new AbortController();
  const dependencies = createDependencies({
    ...ALL_FINE,
    object_store: async (signal) => {
      closing.abort();
      signal.throwIfAborted();
    },
  });
  await dependencies.check(log, closing.signal);
  expect(dependencies.listDegraded()).toEqual([]);
  expect(lines).toEqual([]);
});
