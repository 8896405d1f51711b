import { readFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';

export interface PlantedBug {
  id: string;
  requirement: string;
  bug: string;
  file: string;
  /** Code to replace, which occurs once in the file. */
  search: string;
  replace: string;
  tests: string[];
}

export type StressBug = Omit<PlantedBug, 'tests'>;

export function readPlantedBugs(path: string): PlantedBug[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Throws if the code of the bug has changed. */
export function toMutant(bug: StressBug, files: ReadonlyMap<string, string>): Mutant {
  const { id, requirement, file, search, replace } = bug;
  const text = files.get(file) ?? '';
  const start = text.indexOf(search);
  if (start === -1 || text.includes(search, start + 1)) {
    throw new Error(
      `Planted bug ${id} does not apply: "${search}" must occur exactly once in ${file}. Update the list.`,
    );
  }
  return {
    file,
    start,
    end: start + search.length,
    line: text.slice(0, start).split('\n').length,
    operator: 'planted',
    original: search,
    replacement: replace,
    context: `bug ${id} (${requirement}): ${bug.bug}`,
  };
}
