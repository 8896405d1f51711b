import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Rejection } from '@catalog/core/ingest/types';
import { quoteRegistry } from '@catalog/sdk/quote-server';
import { isAddress } from '../config/is-address.ts';
import type { SyncReport } from './report.ts';

interface Rejected extends Pick<Rejection, 'artifact_id' | 'reason' | 'diagnostics'> {
  kept: boolean;
}

export type FailingRejection = Rejected & Pick<Rejection, 'layer'>;

/** Maximum number of listed problems; `catalog lint` shows all. */
const SHOWN = 10;

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

/** Formats problems, such as `ops/check/ARTIFACT.md:3:1 The frontmatter is not valid YAML.` */
function problemsOf({ artifact_id, reason, diagnostics }: Rejected): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [`${artifact_id}: ${reason}`];
  return errors.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

/** Quotes the reason of a server. Reasons with diagnostics come from catalog itself. */
export function quoteReason<Row extends Pick<Rejection, 'reason' | 'diagnostics'>>(
  registry: string,
  row: Row,
): Row {
  if (!isAddress(registry) || row.diagnostics.length > 0) return row;
  return { ...row, reason: quoteRegistry(registry, row.reason) };
}

/** Returns the rejected artifacts that fail a run (SPEC-93). `--check` of a folder counts all of them. */
export function failingRejections({ mode, targets }: SyncReport): Map<string, FailingRejection> {
  const failing = new Map<string, FailingRejection>();
  for (const { registry, rejected, tolerated = [], kept_broken = [] } of targets) {
    const isAuthors = mode === 'check' && !isAddress(registry);
    for (const row of rejected) {
      const id = row.artifact_id;
      if (tolerated.includes(id) && !isAuthors) continue;
      const kept = kept_broken.includes(id) || failing.get(id)?.kept === true;
      failing.set(id, { ...quoteReason(registry, row), kept });
    }
  }
  return failing;
}

export function rejectionError(
  report: SyncReport,
  suggested_action: string,
): CatalogError | undefined {
  const failing = failingRejections(report);
  return failing.size === 0
    ? undefined
    : artifactsRejected([...failing.values()], suggested_action);
}
