import { existsSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = join(import.meta.dirname, '../packages/cli/dist/bin.js');

/** A command line of the built program. */
export function catalogCommand(...words: string[]): string[] {
  if (!existsSync(BUNDLE)) throw new Error('The program is not built: run ./dev build.');
  return [process.execPath, BUNDLE, ...words];
}

/** The environment of a person who has configured nothing, at home in `folder`. */
export function plainEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1' };
}
