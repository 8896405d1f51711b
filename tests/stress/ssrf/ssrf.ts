import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Shrunk, StressResult, StressSession, StressTest } from '../stress-test.ts';
import { drawHistory, type History } from './history.ts';
import { namespaceProblem, startInNamespace } from './namespace.ts';

export const ssrf: StressTest = {
  name: 'ssrf',
  summary:
    'Hostile receiver URLs, name servers, redirects and proxies in a network in which every address ' +
    'has a listener: webhooks reach every allowed address and connect to no other.',
  n: 5000,
  bugs: 'tests/stress/ssrf/planted-bugs.json',
  bug_n: 400,
  unavailable: namespaceProblem,
  open,
};

function open(folder: string): StressSession {
  mkdirSync(folder, { recursive: true });
  const started = startInNamespace(join(import.meta.dirname, 'play-in-namespace.ts'), folder);

  async function play(history: History): Promise<StressResult> {
    const player = await started;
    const ended = new AbortController();
    const { signal } = ended;
    const result = once(player, 'message', { signal }).then(([played]): StressResult => played);
    const exit = once(player, 'exit', { signal }).then((): StressResult => ({
      counts: {},
      problems: ['the process in the namespace ended'],
    }));
    player.send(history);
    try {
      return await Promise.race([result, exit]);
    } finally {
      for (const promise of [result, exit]) promise.catch(() => undefined);
      ended.abort();
    }
  }

  return {
    opened: started,
    play: (seed) => play(drawHistory(seed)),
    shrink: (seed) => shrink(drawHistory(seed), play),
    close: async () => {
      const player = await started;
      if (player.exitCode !== null) return;
      const exit = once(player, 'exit');
      if (player.connected) player.disconnect();
      await exit;
    },
  };
}

async function shrink(
  history: History,
  play: (history: History) => Promise<StressResult>,
): Promise<Shrunk | undefined> {
  let current = history;
  let { problems } = await play(current);
  if (problems.length === 0) return undefined;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of listSmaller(current)) {
      const result = await play(smaller);
      if (result.problems.length === 0) continue;
      current = smaller;
      ({ problems } = result);
      isSmaller = true;
      break;
    }
  }
  return { steps: describe(current), problems };
}

function listSmaller(history: History): History[] {
  const { steps, names, allowed_targets } = history;
  return [
    ...steps.map((_, index) => ({ ...history, steps: steps.toSpliced(index, 1) })),
    ...names
      .map((script, index) => ({ script, smaller: names.toSpliced(index, 1) }))
      .filter(({ script }) => steps.every(({ host }) => host !== script.name))
      .map(({ smaller }) => ({ ...history, names: smaller })),
    ...allowed_targets.map((_, index) => ({
      ...history,
      allowed_targets: allowed_targets.toSpliced(index, 1),
    })),
  ].filter((smaller) => smaller.steps.length > 0);
}

function describe({ allowed_targets, proxy, names, steps }: History): string[] {
  return [
    `allowed targets: ${JSON.stringify(allowed_targets)}, proxy: ${proxy}`,
    ...names.map(({ name, answers, alias }) => {
      return `${name}${alias ? ' (alias)' : ''} resolves to ${JSON.stringify(answers)}`;
    }),
    ...steps.map(
      ({ action, url, response }) =>
        `${action} ${JSON.stringify(url)}, response ${JSON.stringify(response)}`,
    ),
  ];
}
