import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { forbiddenPath } from '../../paths/refuse-path.ts';
import type { DirectoryPlan } from '../plan-directory.ts';
import type { PlanFacts } from './rule.ts';

type PlaceFacts = Pick<PlanFacts, 'plan'>;

export function refuseClashes({
  plan: { directory, files },
}: PlaceFacts): CatalogError | undefined {
  if (files.clashes.length === 0) return undefined;
  const clashes = files.clashes.map(({ path, what, owners }) => {
    const ids = [...new Set(owners.map(({ id }) => id))];
    return { path, what, ids };
  });
  const lines = clashes.map(
    ({ path, what, ids }) =>
      `  ${path}: needed by ${ids.join(' and ')}, but already exists: ${what}`,
  );
  return new CatalogError(
    'materialize.clash',
    `Files in ${directory} are in the way, so nothing was written.\n${lines.join('\n')}`,
    {
      details: {
        directory,
        clashes: clashes.map(({ path, what, ids }) => ({
          path,
          existing: what,
          incoming: ids.join(', '),
        })),
      },
      suggested_action:
        'Move or rename these files, exclude the artifacts with --exclude, or let catalog manage the files with --take-over <glob>, which keeps a backup. If catalog wrote them and the lock was lost, run `catalog sync --recover`.',
    },
  );
}

/** Rejects changes of a read-only shared file. Deleting one is allowed, because catalog created it. */
export function refuseReadOnly({ plan: { shared } }: PlaceFacts): CatalogError | undefined {
  const read_only = shared.find(
    ({ changed, text, before, mode }) =>
      changed && text !== undefined && before !== undefined && (mode & 0o200) === 0,
  );
  if (read_only === undefined) return undefined;
  const { path } = read_only;
  return new CatalogError('materialize.target_invalid', `${path} is read-only.`, {
    details: { path },
    suggested_action: `Make ${path} writable with \`chmod u+w\`, or exclude the harness that reads it.`,
  });
}

/** Rejects paths that catalog must never change (ADR-0072). */
export function refuseForbiddenPaths({ plan }: PlaceFacts): CatalogError | undefined {
  for (const path of changedPaths(plan)) {
    const error = forbiddenPath(plan.directory, path, 'deliver');
    if (error !== undefined) return error;
  }
  return undefined;
}

function changedPaths({ files, shared }: DirectoryPlan): string[] {
  return [
    ...files.writes.map(({ path }) => path),
    ...files.deletes,
    ...files.gone,
    ...shared.filter(({ changed }) => changed).map(({ path }) => path),
  ];
}
