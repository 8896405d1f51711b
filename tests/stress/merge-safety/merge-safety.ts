import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import {
  measurementOfFailures,
  resultOfParts,
  type Measurement,
} from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { checkFiles, type ParserInput } from '../../../tools/services/config-parsers.ts';
import { singleRun } from '../single-run.ts';
import { FORMATS, type Format } from './formats.ts';
import { playSequence, type Played } from './play.ts';

/** One file in this many does not exist before the first sync. */
const ABSENT_FILE_INTERVAL = 12;
const MAX_LOSS_LENGTH = 2_000;

export const mergeSafety = singleRun({
  name: 'merge-safety',
  summary:
    "Applies random sequences of changes by two registries, two targets and the user to the user's JSON, TOML, YAML and Markdown files. The user's bytes must stay, catalog's entries must disappear without a trace, and third-party parsers must agree.",
  n: 5_000,
  small_n: 200,
  run: async ({ n, seed, folder }) => {
    const parts: Measurement[] = [];
    const notes: string[] = [];
    for (const [index, format] of FORMATS.entries()) {
      const count = Math.ceil((n - index) / FORMATS.length);
      if (count <= 0) continue;
      const outcome = await playFormat(format, count, seed, join(folder, String(index)));
      parts.push(outcome.measurement);
      notes.push(...outcome.notes);
    }
    return resultOfParts('merge-safety', parts, notes);
  },
});

async function playFormat(
  format: Format,
  count: number,
  seed: string,
  folder: string,
): Promise<{ measurement: Measurement; notes: string[] }> {
  mkdirSync(folder);
  const random = seededRandom(`merge-safety ${format.name} ${seed}`);
  const texts = fc.sample(format.files, { numRuns: count, seed: random.int(2 ** 31) });
  const played = texts.map((text) =>
    playSequence(format, random.int(ABSENT_FILE_INTERVAL) === 0 ? undefined : text, folder, random),
  );
  const judged = played.flatMap((one, number) => one.judged.map((file) => ({ file, number })));
  const complaints = await checkFiles(
    judged.map(({ file }): ParserInput => file),
    folder,
  );
  const losses = [
    ...played.flatMap((one, number) => one.losses.map((loss) => `file ${number}: ${loss}`)),
    ...complaints.map(({ number, problem }) => {
      const about = judged[number];
      return `file ${about?.number}: ${problem}: ${JSON.stringify(about?.file)}`;
    }),
  ];
  const sum = (pick: (one: Played) => number): number =>
    played.reduce((total, one) => total + pick(one), 0);
  const name = `merge-safety: ${format.name}`;
  return {
    measurement: { ...measurementOfFailures(name, count, losses.length), unit: 'losses' },
    notes: [
      `${format.name}: ${sum(({ syncs }) => syncs)} syncs, ${sum(({ edits }) => edits)} edits by the user, ` +
        `${sum(({ refused }) => refused)} runs rejected with an error code, ${judged.length} results parsed by third-party parsers; ` +
        `${(sum(({ cpu_ms }) => cpu_ms) / count).toFixed(2)} ms of CPU per file; seed ${seed}`,
      ...losses.slice(0, 5).map((loss) => loss.slice(0, MAX_LOSS_LENGTH)),
    ],
  };
}
