import type { DirectoryResource, SubjectName } from '../ports/directory.ts';

type Named = Pick<DirectoryResource, 'kind' | 'name_key' | 'external_id'>;

/** Returns the names with which a user can authenticate; none for a group. */
export function subjectNames({ kind, name_key, external_id }: Named): SubjectName[] {
  if (kind === 'Group') return [];
  const names: SubjectName[] = [{ kind: 'name_key', name: name_key }];
  return external_id === null ? names : [...names, { kind: 'external_id', name: external_id }];
}

export function listFormerNames(before: Named, after: Named): SubjectName[] {
  const kept = subjectNames(after);
  return subjectNames(before).filter(
    ({ kind, name }) => !kept.some((one) => one.kind === kind && one.name === name),
  );
}
