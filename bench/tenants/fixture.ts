import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { newLayer } from '@catalog/testkit/layer-record';
import { seededRandom } from '../../tools/seeded-random.ts';
import { openProgress } from '../fixtures/pg-catalog.ts';
import { INGESTED_LAYER, putArtifacts } from '../fixtures/stored-catalog.ts';
import { makeVocabulary } from '../fixtures/vocabulary.ts';
import { query, type BenchDatabase } from '../pg-database.ts';

/** Number of the first small tenant, above all other tenants of the database. */
export const FIRST_TENANT: Tenant = 1_000;
export const LAYER = 1;
const LAYER_ID = 'team';
const ARTIFACTS = 20;
const VOCABULARY = 2_000;

/** Creates the documents of a small tenant. All tenants use the same words, as natural text would. */
export function documentsOf(tenant: Tenant, seed: string): SearchDocument[] {
  const random = seededRandom(`${seed} tenant ${tenant}`);
  const vocabulary = makeVocabulary(seededRandom(`${seed} tenants`), VOCABULARY);
  return Array.from({ length: ARTIFACTS }, (_, place) => ({
    id: `tools/area-${place % 4}/tool-${place}`,
    type: 'skill',
    tags: ['tool'],
    name: `tool-${place}`,
    description: `${Array.from({ length: 18 }, () => vocabulary.pick(random)).join(' ')}.`,
    when_to_use: [],
  }));
}

/** Adds small tenants to a database through the store; skips existing ones. */
export async function keepTenants(
  database: BenchDatabase,
  { tenants, seed }: { tenants: number; seed: string },
): Promise<void> {
  const progress = await openProgress(database, `tenants ${seed}`);
  const store = await openPostgresStore({ dsn: database.dsn, statement_timeout_ms: 0 });
  try {
    for (let place = progress.done; place < tenants; place += 1) {
      const tenant = FIRST_TENANT + place;
      await store.transaction(async ({ layers }) => {
        if ((await layers.get(tenant, LAYER_ID)) !== undefined) return;
        await layers.create(tenant, newLayer({ ...INGESTED_LAYER, id: LAYER_ID }));
      });
      const layer = { id: LAYER_ID, number: LAYER };
      await putArtifacts(store, layer, documentsOf(tenant, seed), tenant);
      if (place % 100 === 99 || place === tenants - 1) await progress.note(place + 1);
    }
  } finally {
    await store.close();
  }
  if (progress.isNew()) await query(database.owner_dsn, 'VACUUM (ANALYZE)');
}
