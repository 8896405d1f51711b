import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '@catalog/server/config/settings';
import type { Setting } from '@catalog/server/config/setting';
import { z } from 'zod';
import { alignedTable, code } from './markdown.ts';
import { fillRegions } from './regions.ts';

const PATH = 'docs/operations/upgrade.md';
const PREVIOUS = join(import.meta.dirname, 'previous-settings.json');

export const previous = z
  .object({
    release: z.string(),
    commit: z.string(),
    settings: z.record(z.string(), z.array(z.string())),
  })
  .parse(JSON.parse(readFileSync(PREVIOUS, 'utf8')));

export interface NewSetting {
  key: string;
  env: readonly string[];
}

/** The previous release refuses to start with these. */
export function listNewSettings(): NewSetting[] {
  return Object.entries<Setting>(SETTINGS).flatMap(([key, { env = [] }]) => {
    const known = previous.settings[key];
    const fresh = env.filter((name) => known?.includes(name) !== true);
    return known === undefined || fresh.length > 0 ? [{ key, env: fresh }] : [];
  });
}

export function upgradePage(root: string): { path: string; present: string; wanted: string } {
  const present = readFileSync(join(root, PATH), 'utf8');
  return { path: PATH, present, wanted: fillRegions(present, { settings: settingsTable }) };
}

function settingsTable(): string {
  const rows = listNewSettings().map(({ key, env }) => [
    previous.settings[key] === undefined ? code(key) : '',
    env.map(code).join(', '),
  ]);
  return alignedTable(['Key', 'Environment variable'], rows);
}
