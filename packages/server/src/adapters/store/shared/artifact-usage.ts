import type {
  ArtifactUsageReads,
  ArtifactUsageWrites,
  UsageCount,
} from '@catalog/core/ports/artifact-usage';
import type { Dialect } from './dialect.ts';
import type { Run, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { plainTable } from './table.ts';

const USAGE = plainTable('artifact_usage');
const POPULAR = plainTable('popular_artifacts');
const LIST_DAYS: Sql<UsageCount> = `SELECT layer, id, version, day, loads, syncs FROM artifact_usage
  WHERE tenant = $1 AND layer = ANY ($2) AND id = $3 AND day >= $4
  ORDER BY day DESC, version, layer LIMIT $5`;
const LIST_USED_LAYERS: Sql<{ layer: number }> =
  'SELECT DISTINCT layer FROM artifact_usage WHERE tenant = $1 ORDER BY layer';
const ADD = `ON CONFLICT (tenant, layer, id, version, day) DO UPDATE
  SET loads = artifact_usage.loads + excluded.loads, syncs = artifact_usage.syncs + excluded.syncs`;
const ADD_POPULAR = `ON CONFLICT (tenant, layer, id) DO UPDATE
  SET uses = popular_artifacts.uses + excluded.uses`;
const REFRESH = `INSERT INTO popular_artifacts (tenant, layer, id, uses)
  SELECT tenant, layer, id, sum(loads + syncs) FROM artifact_usage
  WHERE tenant = $1 AND layer = $2 AND day >= $3 GROUP BY tenant, layer, id
  ON CONFLICT (tenant, layer, id) DO UPDATE SET uses = excluded.uses`;
const DROP_UNUSED = `DELETE FROM popular_artifacts WHERE tenant = $1 AND layer = $2 AND NOT EXISTS
  (SELECT 1 FROM artifact_usage u WHERE u.tenant = popular_artifacts.tenant
    AND u.layer = popular_artifacts.layer AND u.id = popular_artifacts.id AND u.day >= $3)`;
const PRUNE = `DELETE FROM artifact_usage WHERE tenant = $1 AND (layer, id, version, day) IN
  (SELECT layer, id, version, day FROM artifact_usage WHERE tenant = $1 AND day < $2
    ORDER BY day LIMIT $3)`;

/** Sorts after every stored place. */
const FIRST_PLACE = { uses: Number.MAX_SAFE_INTEGER, id: '' };

export function artifactUsageReads(run: Run, dialect: Dialect): ArtifactUsageReads {
  return {
    listDays: (tenant, layers, id, since, limit) =>
      run(tenant, (queries) => queries.rows(LIST_DAYS, tenant, layers, id, since, limit)),
    listPopular: (tenant, layers, { after = FIRST_PLACE, limit }) =>
      run(tenant, (queries) => dialect.listPopular(queries, tenant, layers, { after, limit })),
    listUsedLayers: (tenant) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST_USED_LAYERS, tenant);
        return rows.map(({ layer }) => layer);
      }),
  };
}

export function artifactUsageWrites(
  { beside }: Transaction,
  dialect: Dialect,
): ArtifactUsageWrites {
  return {
    ...artifactUsageReads(beside, dialect),
    async add(tenant, counts) {
      if (counts.length === 0) return;
      await beside(tenant, async (queries) => {
        await queries.insert(USAGE, toSorted(counts.map((count) => ({ tenant, ...count }))), ADD);
        const artifacts = Map.groupBy(counts, ({ layer, id }) => `${layer} ${id}`);
        const added = [...artifacts.values()].map((some) => ({
          tenant,
          layer: some[0]?.layer ?? 0,
          id: some[0]?.id ?? '',
          uses: some.reduce((sum, { loads, syncs }) => sum + loads + syncs, 0),
        }));
        await queries.insert(POPULAR, toSorted(added), ADD_POPULAR);
      });
    },
    refreshPopular: (tenant, layer, since) =>
      beside(tenant, async (queries) => {
        await queries.run(REFRESH, tenant, layer, since);
        await queries.run(DROP_UNUSED, tenant, layer, since);
      }),
    prune: (tenant, before, max_deleted) =>
      beside(tenant, (queries) => queries.run(PRUNE, tenant, before, max_deleted)),
  };
}

/** Sorts rows, because processes that lock rows in different orders could deadlock. */
function toSorted<Row extends { layer: number; id: string; version?: string; day?: string }>(
  rows: readonly Row[],
): Row[] {
  const key = ({ layer, id, version, day }: Row): string => `${layer} ${id} ${version} ${day}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
