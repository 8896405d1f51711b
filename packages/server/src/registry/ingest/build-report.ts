import type { IngestReport } from '@catalog/contract/records/ingest';
import type { IngestRemark } from '@catalog/contract/records/ingest-remark';
import type { LayerRejection } from '@catalog/core/ingest/decide-layer';
import { ledgerKey } from '@catalog/core/ingest/ledger-key';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import type { DecidedIngest } from './decide-ingest.ts';

const MAX_ADVISORIES = 1000;

/** Builds the report of an ingest (SPEC-19). */
export function buildReport(
  run: { job: string; layer: string; reference: string; removed: number },
  { decision, facts, entries }: DecidedIngest,
  advisories: readonly Diagnostic[],
): IngestReport {
  const conflicts = decision.rejected.filter(({ code }) => code === CONFLICT);
  const failures = decision.rejected.filter(({ code }) => code === LINT_FAILED);
  const others = decision.rejected.filter(({ code }) => code !== CONFLICT && code !== LINT_FAILED);
  const authored = new Map(entries.map(({ artifact }) => [artifact.id, artifact]));
  return {
    ...run,
    accepted: decision.accepted.length,
    idempotent: decision.kept.length,
    conflicts: conflicts.map(({ artifact_id }) => {
      const { version, authored_hash } = authored.get(artifact_id) ?? UNKNOWN;
      return {
        artifact_id,
        version,
        old_hash: facts.ledger.get(ledgerKey(artifact_id, version)) ?? '',
        new_hash: authored_hash,
        code: CONFLICT,
        ...(facts.purged.has(ledgerKey(artifact_id, version)) ? { constraint: 'purged' } : {}),
      };
    }),
    lint_failures: failures.flatMap(toFailures),
    rejected: others.map(toRemark),
    embedding_failures: [],
    advisories: [...decision.advisories, ...advisories]
      .slice(0, MAX_ADVISORIES)
      .map(fromDiagnostic),
  };
}

const CONFLICT = 'ingest.immutable_violation';
const LINT_FAILED = 'ingest.lint_failed';
const UNKNOWN = { version: '', authored_hash: '' };

function toRemark({ artifact_id, code, reason, diagnostics }: LayerRejection): IngestRemark {
  const finding = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  return finding === undefined
    ? { artifact_id, code, reason }
    : { ...fromDiagnostic(finding), artifact_id, code, reason };
}

/** Returns all findings of a rejection with their locations, for the author. */
function toFailures(rejection: LayerRejection): IngestRemark[] {
  const errors = rejection.diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0
    ? [toRemark(rejection)]
    : errors.map((finding) => ({ ...fromDiagnostic(finding), artifact_id: rejection.artifact_id }));
}

function fromDiagnostic({ artifact_id, code, message, file, line, fix }: Diagnostic): IngestRemark {
  return { artifact_id, code, reason: message, file, line, fix };
}
