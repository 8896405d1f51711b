import { seededRandom } from '../../../tools/seeded-random.ts';
import type { StressSession, StressTest } from '../stress-test.ts';
import { EDITORS } from './editors.ts';
import { enumerateCalls } from './enumerate-calls.ts';
import { saveAtRandom } from './random-saves.ts';
import { SCENARIOS } from './scenarios.ts';

/** One scenario with one editor and a save before each call, or a number of saves at random moments. */
type History = (folder: string, seed: string) => Promise<{ counts: Counts; lost: string[] }>;
type Counts = Record<string, number>;

const RANDOM_HISTORIES = 9;
const RANDOM_SAVES = 2500;

const enumerated = SCENARIOS.flatMap((scenario) =>
  EDITORS.map((editor): History => async (folder) => {
    const { saves, lost } = await enumerateCalls(folder, scenario, editor);
    return { counts: { saves_before_a_call: saves }, lost };
  }),
);

const atRandom = Array.from({ length: RANDOM_HISTORIES }, (): History => async (folder, seed) => {
  const { saves, runs, lost } = await saveAtRandom(folder, seed, RANDOM_SAVES);
  return { counts: { random_saves: saves, runs }, lost };
});

const histories = [...enumerated, ...atRandom];

export const saves: StressTest = {
  name: 'saves',
  summary:
    'Editors that append, truncate and rename while a sync, an undo or a removal runs: a save before ' +
    'each call to the file system, and saves at random moments. No save may be lost. ' +
    `${histories.length} histories cover every case once.`,
  n: histories.length,
  bugs: 'tests/stress/saves/planted-bugs.json',
  bug_n: histories.length,
  timeout_ms: 300_000,
  open,
};

function open(folder: string): StressSession {
  return {
    play: async (seed) => {
      const { counts, lost } = await historyOf(seed)(folder, seed);
      return { counts, problems: lost.slice(0, 5) };
    },
    // A history is already a single case.
    shrink: async (seed) => {
      const { lost } = await historyOf(seed)(folder, seed);
      return lost.length === 0 ? undefined : { steps: [], problems: lost };
    },
  };
}

/** Returns the history of a seed. A run plays all cases in an order that depends on its seed. */
function historyOf(seed: string): History {
  const [run = '', index = '0'] = seed.split(/-(?=\d+$)/);
  const order = seededRandom(`order ${run}`).shuffle(histories);
  const history = order[Number(index) % order.length];
  if (history === undefined) throw new RangeError(seed);
  return history;
}
