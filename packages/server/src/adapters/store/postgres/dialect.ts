import type { PopularArtifact } from '@catalog/core/ports/artifact-usage';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Dialect } from '../shared/dialect.ts';
import type { Sql } from '../shared/sql.ts';
import { finishDispatches } from '../shared/dispatches.ts';
import { choiceStatements } from '../shared/sessions.ts';
import { columnNames } from '../shared/table.ts';
import { TENANT_RECORDS } from '../shared/tenant-rows.ts';
import { RESOURCES } from '../shared/directory.ts';
import { getStanding } from './directory/directory-standing.ts';

const OF_KIND = `SELECT ${columnNames(RESOURCES)} FROM directory_resources
  WHERE tenant = $1 AND kind = $2`;

const POPULAR: Sql<PopularArtifact> = `SELECT p.layer, p.id, p.uses
  FROM unnest($2::int[]) AS visible (number)
  CROSS JOIN LATERAL (
    SELECT layer, id, uses FROM popular_artifacts
    WHERE tenant = $1 AND layer = visible.number AND (uses, id) < ($3, $4)
    ORDER BY uses DESC, id DESC LIMIT $5) p
  ORDER BY p.uses DESC, p.id DESC LIMIT $5`;

export const dialect: Dialect = {
  TENANT_OF_WEBHOOK: 'SELECT * FROM tenant_of_webhook($1)',
  SET_LEDGER_ASIDE: 'SELECT set_ledger_aside($1, $2, $3)',
  TENANT_OF_ORGANIZATION: 'SELECT tenant FROM tenant_of_organization($1)',
  EVERY_TENANT: `SELECT ${columnNames(TENANT_RECORDS)} FROM every_tenant()`,
  ACTIVE_TENANTS: 'SELECT tenant FROM active_tenants()',
  WATCHED_TENANTS: 'SELECT tenant, revision FROM watched_tenants()',
  TENANT_USAGE: `SELECT storage_bytes, artifact_count,
      CASE WHEN audit_day = ($2::timestamptz AT TIME ZONE 'UTC')::date THEN audit_count ELSE 0 END
        AS audit_volume_today
    FROM tenant_usage WHERE tenant = $1`,
  async createTenant(queries, record, number) {
    const row = JSON.stringify({ ...record, tenant: number ?? null });
    const created = await queries.row<{ tenant: Tenant }>(
      'SELECT create_tenant($1) AS tenant',
      row,
    );
    if (created === undefined) throw new Error(`Tenant ${record.name} was not stored.`);
    return created.tenant;
  },

  getStanding,
  FIND_BY_EXTERNAL_ID: `${OF_KIND} AND external_id = $3 ORDER BY id`,
  FIND_BY_MEMBER: `${OF_KIND} AND id IN
    (SELECT group_id FROM directory_members WHERE tenant = $1 AND user_id = $3) ORDER BY id`,

  COUNT_EVENTS: 'SELECT count_events() AS events',
  async pruneDeliveries(queries, before, limit) {
    const row = await queries.row<{ pruned: number }>(
      'SELECT prune_deliveries($1, $2) AS pruned',
      before,
      limit,
    );
    return row?.pruned ?? 0;
  },

  ...choiceStatements('session_choices', "nextval('anonymous_choices')"),
  // Skips rows that another transaction is deleting.
  DROP_OLDEST_CHOICES: `DELETE FROM session_choices WHERE tenant = $1 AND ctid = ANY (ARRAY(
    SELECT ctid FROM session_choices WHERE tenant = $1 AND anonymous_number <= $2
    FOR UPDATE SKIP LOCKED))`,
  DROP_SUBJECT_CHOICES: `DELETE FROM session_choices WHERE tenant = $1 AND ctid = ANY (ARRAY(
    SELECT ctid FROM session_choices WHERE tenant = $1 AND subject = $2
    ORDER BY expires_at DESC OFFSET $3 FOR UPDATE SKIP LOCKED))`,
  async pruneChoices(queries, now, limit) {
    const row = await queries.row<{ pruned: number }>(
      'SELECT prune_session_choices($1, $2) AS pruned',
      now,
      limit,
    );
    return row?.pruned ?? 0;
  },

  CLAIM_JOB: 'SELECT tenant, job, fence FROM claim_next_job($1, $2, $3, $4, $5, $6, $7)',
  END_LEASES: 'SELECT end_leases($1)',
  FAILED_TENANTS: 'SELECT tenant FROM failed_tenants($1)',
  FROZEN_TENANTS: 'SELECT tenant FROM frozen_tenants()',
  JOB_WORKERS: 'SELECT worker FROM job_workers()',
  JOB_DEPTH: 'SELECT queued, running, oldest_created_at FROM job_depth()',

  RECEIVERS_DUE: 'SELECT tenant, receiver FROM receivers_due($1)',
  DISPATCH_WORKERS: 'SELECT worker FROM dispatch_workers()',
  END_CLAIMS: 'SELECT end_claims($1)',
  DISPATCH_DEPTH: 'SELECT pending, oldest_created_at, disabled_receivers FROM dispatch_depth()',
  FINISH_DISPATCHES: finishDispatches(`json_to_recordset($3::json) AS r (id text, fence int,
    state text, attempts int, not_before timestamptz, last_attempt timestamptz, status int,
    duration_ms int, response text, error text)`),

  listPopular: (queries, tenant, layers, { after, limit }) =>
    queries.rows(POPULAR, tenant, layers, after.uses, after.id, limit),

  STORE_IS_EMPTY: 'SELECT store_is_empty() AS empty',

  STORE_IDENTITY: `SELECT identity, object_store_identity,
      CASE WHEN here IS NULL THEN 'unknown' WHEN here = origin THEN 'same' ELSE 'changed' END
        AS origin
    FROM store_identity, (SELECT store_origin() AS here) AS server`,
  CREATE_STORE_IDENTITY: `INSERT INTO store_identity (only_one, identity, origin)
    VALUES (true, $1, store_origin()) ON CONFLICT DO NOTHING`,
  RENEW_STORE_IDENTITY:
    'UPDATE store_identity SET identity = $2, origin = store_origin() WHERE identity = $1',
};
