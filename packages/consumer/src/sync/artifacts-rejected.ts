import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Rejection } from '@catalog/core/ingest/types';
import { isAddress } from '../config/is-address.ts';
import type { SyncReport } from './report.ts';

interface Rejected extends Pick<Rejection, 'artifact_id' | 'reason' | 'diagnostics'> {
  /** The copy that was delivered before is still in place. */
  kept: boolean;
}

/** The error of a run whose registry folder holds artifacts that cannot be delivered. */
export function artifactsRejected(rejected: readonly Rejected[]): CatalogError {
  const [first, ...others] = rejected;
  const name = others.length === 0 ? (first?.artifact_id ?? '') : `${rejected.length} artifacts`;
  const kept = rejected.filter((row) => row.kept).length;
  const state =
    kept === 0
      ? 'Nothing of it is installed.'
      : 'The last version that was installed stays in place.';
  const places = rejected.map((row) => `  ${placeOf(row)}`);
  return new CatalogError(
    'materialize.artifact_rejected',
    `${name} cannot be delivered. ${rejected.length === 1 ? state : `The last installed version of ${kept} stays in place.`}\n${places.join('\n')}`,
    {
      details: {
        artifacts: rejected.map(({ artifact_id, reason, kept: stays }) => ({
          artifact_id,
          reason,
          kept: stays,
        })),
      },
    },
  );
}

/** `ops/check/ARTIFACT.md:3:1 The frontmatter is not valid YAML.` */
function placeOf({ artifact_id, reason, diagnostics }: Rejected): string {
  const found =
    diagnostics.find(({ severity, message }) => severity === 'error' && message === reason) ??
    diagnostics.find(({ severity }) => severity === 'error');
  if (found === undefined) return `${artifact_id}: ${reason}`;
  return `${found.file}:${found.line}:${found.column} ${found.message}`;
}

/**
 * The rejections that fail a run: those in a folder of the caller's own, or in the overlay. What a
 * server rejected is its authors' to fix, and it goes on serving the last good version.
 */
export function rejectionError({ targets }: SyncReport): CatalogError | undefined {
  const rejected = new Map<string, Rejected>();
  for (const { registry, rejected: rows, kept_broken = [] } of targets) {
    for (const row of rows) {
      if (isAddress(registry) && row.diagnostics.length === 0) continue;
      const kept =
        kept_broken.includes(row.artifact_id) || rejected.get(row.artifact_id)?.kept === true;
      rejected.set(row.artifact_id, { ...row, kept });
    }
  }
  return rejected.size === 0 ? undefined : artifactsRejected([...rejected.values()]);
}
