import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { PluginError } from '@catalog/contract/errors/plugin-error';
import { toCatalogError } from '@catalog/contract/errors/read-envelope';
import type { AcceptedIngest, IngestReport } from '@catalog/contract/records/ingest';
import { soleOutcome } from '@catalog/core/ingest/sole-outcome';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import {
  listApprovedReferences,
  listUsableApprovals,
  missingApprovals,
  requireDistinctAdmins,
  type Override,
} from '../freeze/check-approvals.ts';
import { listBlocking } from '../freeze/require-unfrozen.ts';
import { requestIngest } from '../ingest/request-ingest.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hostPathAuthority } from './declared-sources.ts';
import { findLayer, requireLayer } from './load-layer.ts';
import { waitForIngest } from './wait-for-ingest.ts';

export interface ReingestInput {
  id: string;
  wait: boolean;
  break_glass?: boolean | undefined;
  justification?: string | undefined;
  approvers?: readonly string[] | undefined;
}

export type ReingestResult =
  | { kind: 'queued'; accepted: AcceptedIngest }
  | { kind: 'ended'; report: IngestReport };

export async function reingestLayer(
  registry: Registry,
  context: CallContext,
  input: ReingestInput,
): Promise<ReingestResult> {
  rejectUnjustified(input);
  const { tenant, caller, signal } = context;
  const { job, layer_id } = await registry.store.transaction(async (writes) => {
    const stored = await findLayer(registry, writes.layers, tenant, input.id);
    const host_paths = hostPathAuthority(registry, tenant, stored);
    const layer = requireLayer(caller, 'reingest', { id: input.id, stored, host_paths });
    await requireAuditVolume(registry, writes.tenants, tenant);
    const break_glass = await readOverride(registry, writes, tenant, input);
    const queued = await requestIngest(registry, writes, tenant, {
      layer_id: layer.id,
      full: true,
      trigger: 'reingest',
      break_glass,
    });
    const record = buildAuditRecord(
      callAuditContext(registry, context),
      'layer.reingest_requested',
      {
        layer: layer.id,
        job: queued.job,
      },
    );
    await writes.audit.append(tenant, [record]);
    return queued;
  });
  if (!input.wait) return { kind: 'queued', accepted: { job, layer: layer_id } };
  return {
    kind: 'ended',
    report: readOutcome(
      await waitForIngest(
        registry.store,
        tenant,
        job,
        AbortSignal.any([signal, registry.stopping]),
      ),
    ),
  };
}

/** Rejects `break_glass` without a justification, even if nothing is frozen. */
function rejectUnjustified({ break_glass, justification = '' }: ReingestInput): void {
  if (break_glass !== true || justification.trim() !== '') return;
  throw new CatalogError('registry.invalid_argument', '`break_glass` requires a `justification`.', {
    details: { argument: 'justification' },
  });
}

/**
 * Checks the approvals early, so that the caller gets the error at once. The ingest checks them again,
 * when it knows the commit.
 */
async function readOverride(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { id, break_glass, justification = '', approvers = [] }: ReingestInput,
): Promise<Override | undefined> {
  if (break_glass !== true) return undefined;
  const [window] = await listBlocking(registry, writes.freezes, tenant, 'ingest');
  if (window === undefined) return undefined;
  requireDistinctAdmins(registry, window);
  const approvals = await listUsableApprovals(registry, writes, tenant);
  if (listApprovedReferences(approvals, id, approvers).length === 0) {
    throw missingApprovals(window, `the ingest of \`${id}\``);
  }
  return { justification, approvers };
}

function readOutcome({ report, error, layer_id }: JobRecord): IngestReport {
  if (error !== null) throw toCatalogError(error) ?? new PluginError(error, error.message);
  if (report === null) throw unreadable(`The ingest of \`${layer_id}\` left no report.`);
  const sole = soleOutcome(report);
  if (sole === 'conflicts') throw onlyConflicts(report);
  if (sole === 'lint_failures') throw onlyLintFailures(report);
  return report;
}

function unreadable(message: string): CatalogError {
  return new CatalogError('registry.unavailable', message);
}

function onlyConflicts({ layer, conflicts }: IngestReport): CatalogError {
  return new CatalogError(
    'ingest.immutable_violation',
    `Layer \`${layer}\` was rejected: ${conflicts.length} artifacts changed without a new version.`,
    { details: { layer, conflicts } },
  );
}

function onlyLintFailures({ layer, lint_failures }: IngestReport): CatalogError {
  return new CatalogError(
    'ingest.lint_failed',
    `Layer \`${layer}\` was rejected: ${lint_failures.length} lint failures.`,
    { details: { lint_failures } },
  );
}
