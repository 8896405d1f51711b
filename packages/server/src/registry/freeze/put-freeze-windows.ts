import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { FreezeWindow, FreezeWindows } from '@catalog/contract/records/freeze';
import {
  findActivePeriod,
  findWindowProblem,
  listWeakened,
  type ActiveWindow,
} from '@catalog/core/freeze/freeze-window';
import type { StoreWrites } from '@catalog/core/ports/store';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { buildAuditRecord } from '../audit/build-record.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import {
  isApproved,
  listUsableApprovals,
  missingApprovals,
  requireDistinctAdmins,
  useApprovals,
  type Override,
} from './check-approvals.ts';
import { readFreezeWindows } from './get-freeze-windows.ts';

export interface PutWindowsInput {
  windows: readonly FreezeWindow[];
  justification?: string | undefined;
  approvers?: readonly string[] | undefined;
}

/** Replaces the stored windows. Two admins must approve a change that weakens an active window. */
export async function putFreezeWindows(
  registry: Registry,
  context: CallContext,
  { windows: given, justification = '', approvers = [] }: PutWindowsInput,
): Promise<FreezeWindows> {
  const { tenant } = context;
  requireValid(registry, given);
  const windows = given.map(inUtc);
  return registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    const before = await writes.freezes.listWindows(tenant);
    const override = { justification, approvers };
    const weakened = await approveWeakening(registry, writes, context, before, windows, override);
    await writes.freezes.putWindows(tenant, windows);
    await writes.audit.append(tenant, [
      buildAuditRecord(callAuditContext(registry, context), 'freeze.windows_changed', {
        windows: windows.map(({ name }) => name),
        removed: before.map(({ name }) => name).filter((name) => !has(windows, name)),
        weakened,
        ...(weakened.length === 0 ? {} : { approvers: [...new Set(approvers)], justification }),
      }),
    ]);
    return readFreezeWindows(registry, writes, tenant);
  });
}

async function approveWeakening(
  registry: Registry,
  writes: StoreWrites,
  { tenant, trace_id }: CallContext,
  before: readonly FreezeWindow[],
  after: readonly FreezeWindow[],
  { approvers, justification }: Override,
): Promise<string[]> {
  const now = registry.now();
  const weakened = listWeakened(before, after, now);
  for (const window_name of weakened) {
    const window = activeWindow(before, window_name, now);
    requireDistinctAdmins(registry, window);
    const change = { layer_id: '', reference: '', window_name };
    const approvals = await listUsableApprovals(registry, writes, tenant);
    const isAllowed = justification.trim() !== '' && isApproved(approvals, change, approvers);
    if (!isAllowed) throw missingApprovals(window, `weakening \`${window_name}\``);
    await useApprovals(writes, tenant, change, approvers, trace_id);
  }
  return weakened;
}

function activeWindow(windows: readonly FreezeWindow[], name: string, now: Date): ActiveWindow {
  const window = windows.find((candidate) => candidate.name === name);
  const active = window && findActivePeriod(window, now);
  if (active === undefined) throw new TypeError(`the window ${name} is not active`);
  return active;
}

function requireValid(registry: Registry, windows: readonly FreezeWindow[]): void {
  const names = windows.map(({ name }) => name);
  windows.forEach((window, at) => {
    const { name } = window;
    if (has(registry.settings.freeze_windows, name)) throw declared(name);
    if (names.indexOf(name) !== at) throw invalid(name, 'the name is used twice', 'name');
    const problem = findWindowProblem(window, registry.now());
    if (problem !== undefined) throw invalid(name, problem, 'window');
  });
}

function has(windows: readonly FreezeWindow[], name: string): boolean {
  return windows.some((window) => window.name === name);
}

function inUtc(window: FreezeWindow): FreezeWindow {
  const { start, end } = window;
  if (start === undefined || end === undefined) return window;
  return { ...window, start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

function invalid(name: string, problem: string, constraint: string): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `The freeze window \`${name}\` is invalid: ${problem}.`,
    { details: { argument: 'windows', constraint } },
  );
}

function declared(name: string): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `The freeze window \`${name}\` is part of the configuration of the registry.`,
    {
      details: { argument: 'windows', constraint: 'declared' },
      suggested_action:
        'Use another name, or have the operator change `freeze_windows` in registry.yaml.',
    },
  );
}
