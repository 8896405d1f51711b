import type { DirectoryPlan } from '../sync/plan-directory.ts';
import { refusePath } from './refuse-path.ts';

/** Refuses a plan that changes a path that catalog must not write or delete. */
export function refusePlan({
  directory,
  files,
  shared,
}: Pick<DirectoryPlan, 'directory' | 'files' | 'shared'>): void {
  const paths = [
    ...files.writes.map(({ path }) => path),
    ...files.deletes,
    ...files.gone,
    ...shared.filter(({ changed }) => changed).map(({ path }) => path),
  ];
  for (const path of paths) refusePath(directory, path, 'deliver');
}
