import type { LayerRecord } from '@catalog/core/ports/layers';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '@catalog/server/registry/registry';
import type { Credentials } from './credentials.ts';
import type { Mode } from './dimensions.ts';
import { TENANT_NAMES, type Stage } from './fixture.ts';
import { serveHere, type ServedHere } from './serve-here.ts';

export interface Served extends ServedHere {
  tenants: { home: Tenant; abroad: Tenant };
}

export async function serveMode(
  stage: Stage,
  mode: Mode,
  credentials: Credentials,
): Promise<Served> {
  const served = await serveHere(stage.settings(credentials.settings(mode)));
  const abroad = await served.registry.store.tenants.find(TENANT_NAMES.abroad);
  if (abroad === undefined) throw new Error('the stage has no other tenant');
  return { ...served, tenants: { home: ONLY_TENANT, abroad: abroad.tenant } };
}

/** Counters that every change of a tenant moves. */
export interface Marks {
  revision: number;
  audited: number;
  published: number;
}

export class Watch {
  readonly #store: Registry['store'];
  readonly #tenant: Tenant;
  #layers: ReadonlyMap<string, LayerRecord> = new Map();
  #marks: Marks = { revision: 0, audited: 0, published: 0 };

  constructor({ store }: Registry, tenant: Tenant) {
    this.#store = store;
    this.#tenant = tenant;
  }

  async begin(): Promise<void> {
    this.#layers = new Map((await this.#list()).map((layer) => [layer.id, layer]));
    let position = 0;
    for (;;) {
      const rows = await this.#store.audit.list(this.#tenant, position, 1000);
      if (rows.length === 0) break;
      position = rows.at(-1)?.position ?? position;
    }
    this.#marks.audited = position;
    await this.changes();
  }

  async changes(): Promise<{ records: number; revision: boolean; published: boolean }> {
    const { audit, layers, outbox } = this.#store;
    const [rows, revision, { newest }] = await Promise.all([
      audit.list(this.#tenant, this.#marks.audited, 100),
      layers.revision(this.#tenant),
      outbox.bounds(this.#tenant),
    ]);
    const before = this.#marks;
    this.#marks = { revision, published: newest, audited: rows.at(-1)?.position ?? before.audited };
    return {
      records: rows.length,
      revision: revision !== before.revision,
      published: newest !== before.published,
    };
  }

  async reset(): Promise<void> {
    const now = new Map((await this.#list()).map((layer) => [layer.id, layer]));
    await this.#store.transaction(async ({ layers }) => {
      for (const [id, layer] of now) {
        if (!this.#layers.has(id)) await layers.purge(this.#tenant, layer.number);
      }
      for (const [id, layer] of this.#layers) {
        const there = now.get(id);
        if (there === undefined) await layers.create(this.#tenant, layer);
        else if (!isSame(there, layer)) {
          await layers.replace(this.#tenant, { ...layer, number: there.number });
        }
      }
    });
    await this.changes();
  }

  async #list(): Promise<LayerRecord[]> {
    const { layers } = this.#store;
    const [live, deleted] = await Promise.all([
      layers.list(this.#tenant),
      layers.listDeleted(this.#tenant),
    ]);
    return [...live, ...deleted];
  }
}

function isSame(one: LayerRecord, other: LayerRecord): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
