import { readFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';

/** A mistake someone could make, written by hand, and the tests that must notice it. */
export interface PlantedBug {
  id: string;
  /** Requirement that the bug breaks. */
  requirement: string;
  bug: string;
  file: string;
  /** Exact text, which must occur once in the file. */
  search: string;
  replace: string;
  tests: string[];
}

/** A planted bug that a stress test must find. */
export type StressBug = Omit<PlantedBug, 'tests'>;

export function readPlantedBugs(path: string): PlantedBug[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns the change that plants a bug. Throws if the code it changes is no longer there. */
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
