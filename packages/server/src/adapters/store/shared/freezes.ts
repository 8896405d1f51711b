import type { FreezeWindow } from '@catalog/contract/records/freeze';
import type { ApprovalRecord, FreezeReads, FreezeWrites } from '@catalog/core/ports/freezes';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Run, type Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

type WindowRow = PlainRows['freeze_windows'];
type ApprovalRow = PlainRows['break_glass_approvals'];

const WINDOWS = plainTable('freeze_windows');
const APPROVALS = plainTable('break_glass_approvals');
const LIST_WINDOWS: Sql<WindowRow> = `SELECT ${columnNames(WINDOWS)} FROM freeze_windows
  WHERE tenant = $1 ORDER BY name`;
const REMOVE_WINDOWS = 'DELETE FROM freeze_windows WHERE tenant = $1';
const LIST_APPROVALS: Sql<ApprovalRow> = `SELECT ${columnNames(APPROVALS)}
  FROM break_glass_approvals WHERE tenant = $1 AND expires_at > $2
  ORDER BY layer_id, window_name, reference, approver`;
const REPLACE_APPROVAL = `ON CONFLICT (tenant, layer_id, reference, window_name, approver)
  DO UPDATE SET approved_at = excluded.approved_at, expires_at = excluded.expires_at,
    used_by = excluded.used_by`;
const USE_APPROVALS = `UPDATE break_glass_approvals SET used_by = $6
  WHERE tenant = $1 AND layer_id = $2 AND reference = $3 AND window_name = $4
    AND approver = ANY ($5)`;
const PRUNE_APPROVALS = 'DELETE FROM break_glass_approvals WHERE tenant = $1 AND expires_at <= $2';

export function freezeReads(run: Run, dialect: Dialect): FreezeReads {
  return {
    listWindows: (tenant) =>
      run(tenant, async (queries) => (await queries.rows(LIST_WINDOWS, tenant)).map(toWindow)),
    listApprovals: (tenant, now) =>
      run(tenant, async (queries) =>
        (await queries.rows(LIST_APPROVALS, tenant, now)).map(toApproval),
      ),
    listFrozenTenants: () =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows(dialect.FROZEN_TENANTS);
        return rows.map(({ tenant }) => tenant);
      }),
  };
}

export function freezeWrites({ run }: Transaction, dialect: Dialect): FreezeWrites {
  return {
    ...freezeReads(run, dialect),
    putWindows: (tenant, windows) =>
      run(tenant, async (queries) => {
        await queries.run(REMOVE_WINDOWS, tenant);
        await queries.insert(
          WINDOWS,
          windows.map((window) => toRow(tenant, window)),
        );
      }),
    approve: (tenant, approval) =>
      run(tenant, async (queries) => {
        await queries.insert(APPROVALS, [{ tenant, ...approval }], REPLACE_APPROVAL);
      }),
    useApprovals: (tenant, { layer_id, reference, window_name }, approvers, used_by) =>
      run(tenant, async (queries) => {
        await queries.run(
          USE_APPROVALS,
          tenant,
          layer_id,
          reference,
          window_name,
          approvers,
          used_by,
        );
      }),
    pruneApprovals: (tenant, before) =>
      run(tenant, async (queries) => void (await queries.run(PRUNE_APPROVALS, tenant, before))),
  };
}

function toRow(tenant: Tenant, window: FreezeWindow): WindowRow {
  const { name, blocks, start = null, end = null } = window;
  const { starts = null, ends = null, time_zone = null } = window;
  return { tenant, name, start_at: start, end_at: end, starts, ends, time_zone, blocks };
}

function toWindow(row: WindowRow): FreezeWindow {
  const { name, blocks, start_at, end_at, starts, ends, time_zone } = readRow(WINDOWS, row);
  return {
    name,
    ...(start_at === null || end_at === null ? {} : { start: start_at, end: end_at }),
    ...(starts === null || ends === null || time_zone === null ? {} : { starts, ends, time_zone }),
    blocks,
  };
}

function toApproval(row: ApprovalRow): ApprovalRecord {
  const { tenant: _, ...approval } = readRow(APPROVALS, row);
  return approval;
}
