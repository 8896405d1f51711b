import { mkdirSync, writeFileSync } from 'node:fs';
import { SERVED_URL, type Place } from './engine.ts';

export interface Settings {
  /** Targets in the list; if empty, `defaults.harness` is the only target. */
  targets: { id: string; harness: string }[];
  /** `defaults.harness`: one name, or several separated by commas. */
  harness: string;
  exclude: string[];
}

export const SETTINGS = '.catalog/sync.yaml';

/** A line of the user that must remain in `sync.yaml`. */
export const SETTINGS_NOTE = '# The settings of this project. Ask before you change them.';

export function writeSettings(
  { directory, registry, served_file }: Place,
  { targets, harness, exclude }: Settings,
): void {
  const lines = [
    SETTINGS_NOTE,
    'defaults:',
    `  registry: ${served_file === undefined ? registry : SERVED_URL}`,
    `  harness: ${harness}`,
    '  unsupported: skip',
    '  on_clash: qualify',
    ...(exclude.length === 0 ? [] : ['  exclude:', ...exclude.map((id) => `    - ${id}`)]),
    ...(targets.length === 0 ? [] : ['targets:']),
    ...targets.flatMap((target) => [`  - id: ${target.id}`, `    harness: ${target.harness}`]),
  ];
  mkdirSync(`${directory}/.catalog`, { recursive: true });
  writeFileSync(`${directory}/${SETTINGS}`, `${lines.join('\n')}\n`);
}

export function harnessesOf({ targets, harness }: Settings): string[] {
  return targets.length > 0 ? targets.map((target) => target.harness) : harness.split(',');
}
