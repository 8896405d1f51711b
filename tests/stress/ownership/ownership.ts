import { mkdirSync } from 'node:fs';
import type { Shrunk, StressSession, StressTest } from '../stress-test.ts';
import { DeliveryOracle } from './expect-delivery.ts';
import { drawHistory, HARNESSES, type History } from './history.ts';
import { playHistory, type Played } from './play.ts';

export const ownership: StressTest = {
  name: 'ownership',
  summary:
    'Random workspaces, registries, edits, kills and commands: no byte that catalog did not create ' +
    'is changed or deleted without consent, and syncs, removals and undo leave what they must.',
  n: 5000,
  bugs: 'tests/stress/ownership/planted-bugs.json',
  bug_n: 3000,
  open,
};

function open(folder: string): StressSession {
  mkdirSync(folder, { recursive: true });
  const oracle = new DeliveryOracle(folder);
  const play = (history: History): Promise<Played> =>
    playHistory(history, `${folder}/history`, oracle);
  return {
    play: async (seed) => {
      const { counts, violation } = await play(drawHistory(seed));
      return { counts: { ...counts }, problems: violation?.problems ?? [] };
    },
    shrink: (seed) => shrink(drawHistory(seed), play),
  };
}

async function shrink(
  history: History,
  play: (history: History) => Promise<Played>,
): Promise<Shrunk | undefined> {
  const first = await play(history);
  if (first.violation === undefined) return undefined;
  let current = cutAfter(history, first.violation.step);
  let { problems } = first.violation;
  const kind = kindOf(problems);
  let isSmaller = true;
  while (isSmaller) {
    isSmaller = false;
    for (const smaller of listSmaller(current)) {
      const { violation } = await play(smaller);
      if (violation === undefined || kindOf(violation.problems) !== kind) continue;
      current = cutAfter(smaller, violation.step);
      ({ problems } = violation);
      isSmaller = true;
      break;
    }
  }
  return { steps: describe(current), problems };
}

function kindOf([problem = '']: readonly string[]): string {
  return problem.replace(/^[^ ]+: /, '').slice(0, 30);
}

function cutAfter(history: History, step: number): History {
  return { ...history, steps: history.steps.slice(0, step + 1) };
}

function listSmaller(history: History): History[] {
  return [
    ...history.steps.map((_step, index) => ({
      ...history,
      steps: history.steps.toSpliced(index, 1),
    })),
    ...history.artifacts.map((_id, index) => ({
      ...history,
      artifacts: history.artifacts.toSpliced(index, 1),
    })),
  ];
}

function describe({ harness, listed, served, artifacts, steps }: History): string[] {
  const name = HARNESSES[harness] ?? '';
  const kind = served ? 'in-process registry' : 'folder registry';
  return [
    `${name}${listed ? ' in a list of targets' : ''}, ${kind}, ${artifacts.join(' ') || 'empty'}`,
    ...steps.map((step) => JSON.stringify(step)),
  ];
}
