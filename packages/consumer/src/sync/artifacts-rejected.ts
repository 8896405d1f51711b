import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Rejection } from '@catalog/core/ingest/types';
import { isAddress } from '../config/is-address.ts';
import type { SyncReport, TargetReport } from './report.ts';

interface Rejected extends Pick<Rejection, 'artifact_id' | 'reason' | 'diagnostics'> {
  /** The copy that was delivered before is still in place. */
  kept: boolean;
}

/** Lines of problems shown; `catalog lint` shows all. */
const SHOWN = 10;

/** The error of a run whose registry folder holds artifacts that cannot be delivered. */
export function artifactsRejected(
  rejected: readonly Rejected[],
  suggested_action?: string,
): CatalogError {
  const lines = rejected.flatMap(problemsOf);
  const more = lines.length - SHOWN;
  return new CatalogError(
    'materialize.artifact_rejected',
    [
      summaryOf(rejected),
      ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join('\n'),
    {
      details: {
        artifacts: rejected.map(({ artifact_id, reason, kept }) => ({ artifact_id, reason, kept })),
      },
      ...(suggested_action === undefined ? {} : { suggested_action }),
    },
  );
}

function summaryOf(rejected: readonly Rejected[]): string {
  const [first, ...others] = rejected;
  const kept = rejected.filter((row) => row.kept).length;
  if (first !== undefined && others.length === 0) {
    const state = first.kept ? ' The installed version stays in place.' : '';
    return `${first.artifact_id} was not delivered.${state}`;
  }
  const state = kept === 0 ? '' : ` The installed versions of ${kept} stay in place.`;
  return `${rejected.length} artifacts were not delivered.${state}`;
}

/** `ops/check/ARTIFACT.md:3:1 The frontmatter is not valid YAML.` */
function problemsOf({ artifact_id, reason, diagnostics }: Rejected): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [`${artifact_id}: ${reason}`];
  return errors.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

/**
 * Whether a rejection fails the run: one in a folder of the caller's own, or in the overlay. What a
 * server rejected is for its authors to fix, and the server keeps serving the last good version.
 */
export function failsRun({ registry }: Pick<TargetReport, 'registry'>, row: Rejection): boolean {
  return !isAddress(registry) || row.diagnostics.length > 0;
}

/** The error of all rejections that fail a run; undefined if there are none. */
export function rejectionError(
  { targets }: SyncReport,
  suggested_action: string,
): CatalogError | undefined {
  const rejected = new Map<string, Rejected>();
  for (const target of targets) {
    for (const row of target.rejected.filter((one) => failsRun(target, one))) {
      const id = row.artifact_id;
      const kept = target.kept_broken?.includes(id) === true || rejected.get(id)?.kept === true;
      rejected.set(id, { ...row, kept });
    }
  }
  return rejected.size === 0
    ? undefined
    : artifactsRejected([...rejected.values()], suggested_action);
}
