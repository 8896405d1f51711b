import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';
import { fixtureFolder } from '@catalog/testkit/fixture';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { isFlawed, tryEveryHarness, tryParity } from './parity-trial.ts';

const CATALOGS = 20;

describe('a folder and a server that ingested it produce the same sync (SPEC-48)', () => {
  test(`for ${CATALOGS} random catalogs`, { timeout: 60_000 }, async () => {
    const folder = temporaryFolder();
    let [delivered, rejected] = [0, 0];
    for (let trial = 0; trial < CATALOGS; trial += 1) {
      const outcome = await tryParity(join(folder, String(trial)), 'test', trial);
      expect(outcome.differences).toEqual([]);
      delivered += outcome.delivered;
      if (isFlawed(trial)) rejected += outcome.rejected;
    }
    // The generator must create artifacts, and some invalid ones.
    expect(delivered).toBeGreaterThan(CATALOGS * 5);
    expect(rejected).toBeGreaterThan(CATALOGS);
  });

  test('for the complete fixture in every harness', async () => {
    const fixture = fixtureFolder('everything');
    const trials = await tryEveryHarness(temporaryFolder(), {
      registry: join(fixture, 'registry'),
      overlay: join(fixture, 'overlay'),
      layers: ['base', 'team', 'product'],
    });
    expect(trials.flatMap(({ differences }) => differences)).toEqual([]);
    for (const { harness, files } of trials) {
      const takes = adapters.get(harness)?.capabilities['type:context'] !== 'unsupported';
      expect({ harness, writes: files > 0 }).toEqual({ harness, writes: takes });
    }
  });
});
