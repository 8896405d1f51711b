import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DeliveryOracle } from './expect-delivery.ts';
import { HARNESSES, type History, type Step } from './history.ts';
import { playHistory } from './play.ts';

let folder: string;
let oracle: DeliveryOracle;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-histories-'));
  oracle = new DeliveryOracle(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Plays a history of `codex`, and returns the problems it ends with. */
async function play(artifacts: string[], steps: Step[]): Promise<string[]> {
  const harness = HARNESSES.indexOf('codex');
  const history: History = {
    seed: 'found',
    harness,
    listed: false,
    served: false,
    artifacts,
    steps,
  };
  const { violation } = await playHistory(history, join(folder, 'history'), oracle);
  return violation?.problems ?? [];
}

test('removes what an interrupted sync wrote to a file that an editor saves during the next sync', async () => {
  const artifacts = ['ops/law', 'ops/logs', 'dev/db'];
  for (let at = 1; at <= 60; at += 1) {
    const problems = await play(artifacts, [
      { kind: 'sync', crash: { at, how: 'half-way' } },
      { kind: 'registry', change: 'drop', pick: 0.5 },
      { kind: 'sync', save: { how: 'shared', by: 'append', pick: 0.4 } },
      { kind: 'remove' },
    ]);
    expect(problems, `killed at call ${at}`).toEqual([]);
  }
});
