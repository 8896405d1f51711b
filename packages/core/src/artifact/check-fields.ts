import type { Diagnostic } from '../lint/diagnostic.ts';
import { diagnose, type Place } from '../manifest/diagnose.ts';
import { readMembers, type FieldReading, type Member } from '../manifest/field-checks.ts';
import { locate } from '../manifest/locate.ts';
import type { Manifest } from './types.ts';

/** Copies valid values of known keys into `fields` and reports invalid values. Unknown keys are ignored. */
export function checkFields<T extends object>(
  manifest: Manifest,
  keys: ReadonlyMap<string, Member<T>>,
  fields: T,
  place: Place,
): Diagnostic[] {
  const at: FieldReading = { path: [], problems: [] };
  readMembers(manifest.values, keys, fields, at);
  return at.problems.map((problem) =>
    diagnose(problem, 'error', locate(manifest, problem.path), place),
  );
}
