import type { Migration } from './migration.ts';
import { keeperFunction, tenantTable } from './tenant-table.ts';

/**
 * Tenants, layers and what is kept beside them. The tenant leads every key and no key crosses tenants,
 * so that tables can be partitioned or distributed by it. Texts that are compared or listed are in
 * byte order (`COLLATE "C"`).
 */
export const store: Migration = {
  number: 1,
  name: 'store',
  oldest_program: 1,
  sql: `
-- The counters of a tenant. Each is the last value given. Whoever changes a tenant locks its row.
CREATE TABLE tenants (
  tenant int PRIMARY KEY,
  revision bigint NOT NULL DEFAULT 0,
  ingest_order bigint NOT NULL DEFAULT 0,
  event_sequence bigint NOT NULL DEFAULT 0,
  audit_position bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
${tenantTable('tenants')}

-- A layer id gets its number once and keeps it when it is registered again.
CREATE TABLE layer_numbers (
  tenant int NOT NULL,
  id text COLLATE "C" NOT NULL,
  number int NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, number)
);
${tenantTable('layer_numbers')}

CREATE TABLE layers (
  tenant int NOT NULL,
  number int NOT NULL,
  id text COLLATE "C" NOT NULL,
  "order" bigint NOT NULL,
  user_defined boolean NOT NULL,
  public boolean NOT NULL,
  organization boolean NOT NULL,
  groups text[],
  users text[],
  source_type text NOT NULL,
  repo text NOT NULL,
  ref text NOT NULL,
  root text NOT NULL,
  local_path text NOT NULL,
  owner text NOT NULL,
  git_provider text NOT NULL,
  force_push_policy text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  last_ingested_at timestamptz(3),
  last_ingested_ref text,
  webhook_secret text NOT NULL,
  webhook_key text COLLATE "C" NOT NULL,
  source_state text,
  PRIMARY KEY (tenant, number)
);
CREATE UNIQUE INDEX layers_webhook_key ON layers (webhook_key) WHERE webhook_key <> '';
${tenantTable('layers')}

-- The key of an inbound address finds its tenant: the one search that knows none.
CREATE FUNCTION tenant_of_webhook(key text) RETURNS TABLE (tenant int, id text)
  LANGUAGE sql STABLE AS
  $$ SELECT tenant, id FROM layers WHERE webhook_key = key AND key <> '' $$;
${keeperFunction('tenant_of_webhook(text)')}

CREATE TABLE outbox (
  tenant int NOT NULL,
  sequence bigint NOT NULL,
  timestamp timestamptz(3) NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (tenant, sequence)
);
${tenantTable('outbox')}

CREATE TABLE audit (
  tenant int NOT NULL,
  position bigint NOT NULL,
  record json NOT NULL,
  PRIMARY KEY (tenant, position)
);
${tenantTable('audit')}

CREATE TABLE sessions (
  tenant int NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  version text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, session_id, id)
);
CREATE INDEX sessions_expiry ON sessions (expires_at);
${tenantTable('sessions')}

CREATE TABLE deliveries (
  tenant int NOT NULL,
  layer int NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  job text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, layer, delivery_id)
);
CREATE INDEX deliveries_age ON deliveries (received_at);
${tenantTable('deliveries')}

-- What has expired goes for every tenant at once, so many rows in a statement. One that was renewed
-- meanwhile stays.
CREATE FUNCTION prune_sessions(now timestamptz, most int) RETURNS int LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM sessions WHERE expires_at <= now AND ctid = ANY (ARRAY(
      SELECT ctid FROM sessions WHERE expires_at <= now ORDER BY expires_at LIMIT most))
    RETURNING 1)
  SELECT count(*)::int FROM gone $$;
${keeperFunction('prune_sessions(timestamptz, int)')}
CREATE FUNCTION prune_deliveries(before timestamptz, most int) RETURNS int LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM deliveries WHERE received_at < before AND ctid = ANY (ARRAY(
      SELECT ctid FROM deliveries WHERE received_at < before ORDER BY received_at LIMIT most))
    RETURNING 1)
  SELECT count(*)::int FROM gone $$;
${keeperFunction('prune_deliveries(timestamptz, int)')}
`,
};
