import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../config/types.ts';
import { loadConfig } from '../config/load-config.ts';
import { openWatchedPlaces } from './watched-places.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-watched-'));
  for (const path of ['work/.catalog', 'shared/.catalog', 'other']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const configOf = (registry: string): Config =>
  loadConfig({ cwd: join(folder, 'work'), home: folder, env: {}, flags: { registry } });

test('stops watching a registry in a folder named .catalog when the configuration changes', async () => {
  const options = { poll: true, onFallback: () => {}, onNews: () => {} };
  const places = openWatchedPlaces(() => {}, options);
  try {
    const registry = join(folder, 'shared/.catalog');
    await places.follow(configOf(registry));
    expect(places.describe()).toEqual({ places: [registry], polling: [registry] });
    const other = join(folder, 'other');
    await places.follow(configOf(other));
    expect(places.describe()).toEqual({ places: [other], polling: [other] });
  } finally {
    places.close();
  }
});
