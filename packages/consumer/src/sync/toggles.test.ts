import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import type { ConfigFlags } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';
import { readStatus } from '../status.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';

const CHECK = 'ops/check';
const SHIP = 'ops/ship';

function openPlace(ids: readonly string[] = [CHECK, SHIP]) {
  const root = temporaryFolder();
  const target = `${root}/work`;
  for (const id of ids) {
    const name = id.slice(id.lastIndexOf('/') + 1);
    writeTree(`${root}/registry`, {
      [`${id}/SKILL.md`]: `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\nDo it.\n`,
    });
  }
  mkdirSync(target);
  const config = (flags: ConfigFlags = {}) =>
    loadConfig({
      cwd: target,
      home: `${root}/home`,
      env: { CATALOG_REGISTRY: `${root}/registry` },
      flags,
    });
  return {
    target,
    config,
    configure: (text: string) => writeTree(target, { '.catalog/sync.yaml': text }),
    sync: (options: Partial<SyncOptions> = {}, flags: ConfigFlags = {}): Promise<SyncReport> =>
      runSync(config(flags), { mode: 'sync', wait_ms: 0, ...options }),
    toggle: (state: 'enable' | 'disable' | 'forget', ...names: string[]): Promise<SyncReport> =>
      runSync(config(), {
        mode: 'sync',
        wait_ms: 0,
        keep_toggles: true,
        toggle: { ids: names, state },
      }),
  };
}

function resetOf({ targets }: SyncReport): unknown[] {
  return targets.map(({ toggles_reset }) => toggles_reset);
}

function delivered({ targets }: SyncReport): string[][] {
  return targets.map(({ artifacts }) => artifacts.map(({ id }) => id));
}

const EXCLUDING_SHIP = 'defaults: {harness: harness-a, exclude: [ops/ship]}\n';

describe('plain sync that resets toggles', () => {
  test('reports enabled and disabled artifacts once', async () => {
    const place = openPlace();
    place.configure(EXCLUDING_SHIP);
    await place.sync();
    await place.toggle('disable', CHECK);
    await place.toggle('enable', SHIP);
    const reset = { add: [SHIP], remove: [CHECK] };
    const before = loadLock(place.target);
    expect(before.toggles).toEqual(reset);
    expect(resetOf(await place.sync({ mode: 'dry-run' }))).toEqual([reset]);
    expect(resetOf(await place.sync({ mode: 'check' }))).toEqual([reset]);
    expect(loadLock(place.target)).toEqual(before);
    const report = await place.sync();
    expect(resetOf(report)).toEqual([reset]);
    expect(delivered(report)).toEqual([[CHECK]]);
    expect(resetOf(await place.sync())).toEqual([undefined]);
  });

  test.each<[string, Partial<SyncOptions>]>([
    ['watch', { keep_toggles: true }],
    ['--locked', { locked: true }],
  ])('reports nothing if the run keeps the toggles: %s', async (_what, options) => {
    const place = openPlace();
    place.configure('defaults: {harness: harness-a}\n');
    await place.toggle('disable', CHECK);
    expect(resetOf(await place.sync(options))).toEqual([undefined]);
    expect(loadLock(place.target).toggles.remove).toEqual([CHECK]);
  });

  test('drops a toggle without a report if the configuration has the same effect', async () => {
    const place = openPlace();
    place.configure('defaults: {harness: harness-a}\n');
    await place.toggle('disable', CHECK);
    place.configure('defaults: {harness: harness-a, exclude: [ops/check]}\n');
    expect(resetOf(await place.sync())).toEqual([undefined]);
    await place.toggle('enable', CHECK);
    place.configure('defaults: {harness: harness-a}\n');
    expect(resetOf(await place.sync())).toEqual([undefined]);
    expect(loadLock(place.target).toggles).toEqual({ add: [], remove: [] });
  });

  test('reports the toggles on the first of two targets in one folder', async () => {
    const place = openPlace();
    place.configure('defaults: {harness: [claude-code, gemini-cli]}\n');
    await place.toggle('disable', CHECK);
    expect(resetOf(await place.sync())).toEqual([{ add: [], remove: [CHECK] }, undefined]);
  });

  test('reports the toggles even if the run does not include their targets', async () => {
    const place = openPlace();
    place.configure(
      'targets:\n  - {id: one, harness: harness-a}\n  - {id: two, harness: none, target: ./two}\n',
    );
    await place.sync();
    await place.toggle('disable', CHECK);
    const report = await place.sync({}, { harness: 'cursor', include: [SHIP] });
    expect(resetOf(report)).toEqual([{ add: [], remove: [CHECK] }]);
  });
});

test('forget removes the given toggles and keeps all others', async () => {
  const place = openPlace();
  place.configure('defaults: {harness: harness-a}\n');
  await place.toggle('disable', CHECK, SHIP);
  expect(delivered(await place.toggle('forget', SHIP, 'gone/long-ago'))).toEqual([[SHIP]]);
  expect(loadLock(place.target).toggles).toEqual({ add: [], remove: [CHECK] });
});

describe('defaults.exclude', () => {
  test('causes a sync that otherwise has nothing to do', async () => {
    const place = openPlace();
    place.configure('defaults: {harness: harness-a}\n');
    expect(delivered(await place.sync())).toEqual([[CHECK, SHIP]]);
    expect(delivered(await place.sync())).toEqual([[CHECK, SHIP]]);
    place.configure(EXCLUDING_SHIP);
    expect(delivered(await place.sync())).toEqual([[CHECK]]);
    expect(await readStatus(place.config(), {})).toMatchObject({ outlook: { kind: 'in-sync' } });
    place.configure('defaults: {harness: harness-a}\n');
    expect(delivered(await place.sync())).toEqual([[CHECK, SHIP]]);
  });

  test('is overridden by an artifact that is enabled temporarily', async () => {
    const place = openPlace();
    place.configure(EXCLUDING_SHIP);
    expect(delivered(await place.toggle('enable', SHIP))).toEqual([[CHECK, SHIP]]);
  });
});
