import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { PopularArtifact } from '@catalog/core/ports/artifact-usage';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import type { Dialect } from '../shared/dialect.ts';
import { RESOURCES } from '../shared/directory.ts';
import { finishDispatches } from '../shared/dispatches.ts';
import { choiceStatements } from '../shared/sessions.ts';
import type { Sql } from '../shared/sql.ts';
import { columnNames } from '../shared/table.ts';
import { TENANT_RECORDS } from '../shared/tenant-rows.ts';
import { CLAIM_JOB, OF_ACTIVE_TENANT } from './claim-job.ts';
import { BY_EXTERNAL_ID, getStanding } from './directory/directory-standing.ts';

const IS_TAKEN =
  'SELECT 1 FROM tenant_records WHERE tenant = $1 OR id IN ($2, $3) OR name IN ($2, $3)';
/** Numbers start after the one of the default tenant, which must be requested. */
const NEXT_TENANT: Sql<{ tenant: Tenant }> =
  `SELECT max($1, coalesce((SELECT max(tenant) FROM tenant_records), 0),
  coalesce((SELECT max(tenant) FROM tenants), 0)) + 1 AS tenant`;

const POPULAR: Sql<PopularArtifact> = `SELECT layer, id, uses FROM popular_artifacts
  WHERE tenant = $1 AND layer = $2 AND (uses, id) < ($3, $4)
  ORDER BY uses DESC, id DESC LIMIT $5`;

export const dialect: Dialect = {
  TENANT_OF_WEBHOOK: 'SELECT tenant, id FROM layers WHERE webhook_key = $1',
  SET_LEDGER_ASIDE: 'UPDATE version_ledger SET layer_id = $3 WHERE tenant = $1 AND layer_id = $2',
  TENANT_OF_ORGANIZATION: 'SELECT tenant FROM tenant_records WHERE id = $1 OR name = $1',
  EVERY_TENANT: `SELECT ${columnNames(TENANT_RECORDS)} FROM tenant_records ORDER BY name`,
  ACTIVE_TENANTS: 'SELECT tenant FROM tenant_records WHERE active = 1 ORDER BY tenant',
  WATCHED_TENANTS: `SELECT tenant, revision FROM tenants t
    WHERE tenant IN (SELECT l.tenant FROM layers l WHERE source_type = 'local' AND deleted_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM tenant_records r WHERE r.tenant = t.tenant AND r.active = 0)
    ORDER BY tenant`,
  TENANT_USAGE: `SELECT storage_bytes, artifact_count,
      iif(audit_day = substr($2, 1, 10), audit_count, 0) AS audit_volume_today
    FROM tenant_usage WHERE tenant = $1`,
  async createTenant(queries, record, number) {
    const next = await queries.row(NEXT_TENANT, ONLY_TENANT);
    const tenant = number ?? next?.tenant ?? ONLY_TENANT + 1;
    if ((await queries.row(IS_TAKEN, tenant, record.id, record.name)) !== undefined) {
      throw new Error(`Tenant ${record.name} exists already.`);
    }
    await queries.insert(TENANT_RECORDS, [{ ...record, tenant }]);
    return tenant;
  },

  getStanding,
  FIND_BY_EXTERNAL_ID: `SELECT ${columnNames(RESOURCES)} FROM ${BY_EXTERNAL_ID}
    AND kind = $2 AND external_id = $3 ORDER BY id`,
  FIND_BY_MEMBER: `SELECT ${columnNames(RESOURCES, 'r')}
    FROM directory_members m CROSS JOIN directory_resources r
    ON r.tenant = m.tenant AND r.id = m.group_id
    WHERE m.tenant = $1 AND r.kind = $2 AND m.user_id = $3 ORDER BY r.id`,

  COUNT_EVENTS: `SELECT coalesce(sum(event_sequence - oldest + 1), 0) AS events
    FROM (SELECT event_sequence,
      (SELECT min(sequence) FROM outbox o WHERE o.tenant = t.tenant) AS oldest FROM tenants t)`,
  pruneDeliveries: (queries, before, limit) =>
    queries.run(
      `DELETE FROM deliveries WHERE (tenant, layer, delivery_id) IN
        (SELECT tenant, layer, delivery_id FROM deliveries WHERE received_at < $1 LIMIT $2)`,
      before,
      limit,
    ),

  ...choiceStatements(
    'sessions',
    `(SELECT coalesce(max(anonymous_number), 0) + 1 FROM sessions
      WHERE tenant = $1 AND anonymous_number IS NOT NULL)`,
  ),
  DROP_OLDEST_CHOICES: 'DELETE FROM sessions WHERE tenant = $1 AND anonymous_number <= $2',
  DROP_SUBJECT_CHOICES: `DELETE FROM sessions WHERE tenant = $1 AND subject = $2
    AND (session_id, id) IN (SELECT session_id, id FROM sessions WHERE tenant = $1 AND subject = $2
      ORDER BY expires_at DESC LIMIT -1 OFFSET $3)`,
  pruneChoices: (queries, now, limit) =>
    queries.run(
      `DELETE FROM sessions WHERE (tenant, subject, session_id, id) IN
        (SELECT tenant, subject, session_id, id FROM sessions WHERE expires_at <= $1 LIMIT $2)`,
      now,
      limit,
    ),

  CLAIM_JOB,
  END_LEASES: "UPDATE jobs SET lease_until = '' WHERE state = 'running' AND worker = $1",
  FAILED_TENANTS: `SELECT DISTINCT tenant FROM jobs j INDEXED BY jobs_failed
    WHERE state = 'failed' AND finished_at > $1 AND ${OF_ACTIVE_TENANT} ORDER BY tenant`,
  FROZEN_TENANTS: `SELECT DISTINCT tenant FROM layers j INDEXED BY layers_frozen
    WHERE frozen_since IS NOT NULL AND deleted_at IS NULL AND ${OF_ACTIVE_TENANT} ORDER BY tenant`,
  JOB_WORKERS: "SELECT DISTINCT worker FROM jobs WHERE state = 'running'",
  JOB_DEPTH: `SELECT count(*) FILTER (WHERE state = 'queued') AS queued,
      count(*) FILTER (WHERE state = 'running') AS running,
      min(created_at) FILTER (WHERE state = 'queued') AS oldest_created_at
    FROM jobs j WHERE state IN ('queued', 'running') AND ${OF_ACTIVE_TENANT}`,

  RECEIVERS_DUE: `SELECT r.tenant, r.receiver FROM receivers r JOIN tenants t ON t.tenant = r.tenant
    WHERE r.disabled_by IS NULL AND (r.paused_until IS NULL OR r.paused_until <= $1)
      AND NOT EXISTS (SELECT 1 FROM tenant_records a WHERE a.tenant = r.tenant AND a.active = 0)
      AND (r.cursor <> t.event_sequence AND (r.window_end IS NULL OR r.window_end <= $1)
        OR EXISTS (SELECT 1 FROM dispatches d WHERE d.tenant = r.tenant
          AND d.receiver = r.receiver AND d.state = 'pending' AND d.not_before <= $1))
    ORDER BY r.tenant, r.receiver`,
  DISPATCH_WORKERS: 'SELECT DISTINCT worker FROM dispatches WHERE worker IS NOT NULL',
  END_CLAIMS: 'UPDATE dispatches SET worker = NULL, not_before = created_at WHERE worker = $1',
  DISPATCH_DEPTH: `SELECT count(*) AS pending, min(created_at) AS oldest_created_at,
      (SELECT count(*) FROM receivers WHERE disabled_by IS NOT NULL) AS disabled_receivers
    FROM dispatches WHERE state = 'pending'`,
  // SQLite looks up each dispatch by its key. A join would read all dispatches of the receiver.
  FINISH_DISPATCHES: `WITH r AS MATERIALIZED (SELECT $1 AS tenant, $2 AS receiver,
    value->>'id' AS id, value->>'fence' AS fence,
    value->>'state' AS state, value->>'attempts' AS attempts, value->>'not_before' AS not_before,
    value->>'last_attempt' AS last_attempt, value->>'status' AS status,
    value->>'duration_ms' AS duration_ms, value->>'response' AS response,
    value->>'error' AS error FROM json_each($3))
    ${finishDispatches('r', 'dispatches.tenant = r.tenant AND dispatches.receiver = r.receiver')}`,

  async listPopular(queries, tenant, layers, { after, limit }) {
    const found: PopularArtifact[] = [];
    for (const layer of layers) {
      found.push(...(await queries.rows(POPULAR, tenant, layer, after.uses, after.id, limit)));
    }
    return found.toSorted((a, b) => b.uses - a.uses || compareBytes(b.id, a.id)).slice(0, limit);
  },

  STORE_IS_EMPTY: `SELECT NOT EXISTS (
    SELECT 1 FROM layer_numbers UNION ALL SELECT 1 FROM admin_grants
    UNION ALL SELECT 1 FROM tenant_records WHERE tenant <> ${ONLY_TENANT}
    UNION ALL SELECT 1 FROM directory_resources UNION ALL SELECT 1 FROM directory_given_up) AS empty`,

  // SQLite has no identity of the database file, so a copy cannot be detected.
  STORE_IDENTITY: "SELECT identity, object_store_identity, 'same' AS origin FROM store_identity",
  CREATE_STORE_IDENTITY:
    'INSERT INTO store_identity (only_one, identity) VALUES (1, $1) ON CONFLICT DO NOTHING',
  RENEW_STORE_IDENTITY: 'UPDATE store_identity SET identity = $2 WHERE identity = $1',
};
