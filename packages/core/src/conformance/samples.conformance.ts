import type { EventBody } from '@catalog/contract/events';
import type { IngestReport } from '@catalog/contract/records/ingest';
import { newLayer } from '@catalog/testkit/layer-record';
import { onTestFinished } from 'vitest';
import { bytesHash } from '../artifact/content-hash.ts';
import type { AuditRecord } from '../ports/audit.ts';
import type { IngestRequest } from '../ports/jobs.ts';
import type { LayerRecord, NewLayer } from '../ports/layers.ts';
import type { Store } from '../ports/store.ts';
import type { NewTenant } from '../ports/tenants.ts';
import type {
  HeadRecord,
  VersionColumns,
  VersionRecord,
  VersionWrites,
} from '../ports/versions.ts';

export type OpenStore = () => Promise<Store>;

export async function openForTest<Opened extends Pick<Store, 'close'>>(
  open: () => Promise<Opened>,
): Promise<Opened> {
  const store = await open();
  onTestFinished(() => store.close());
  return store;
}

export const T1 = '2026-01-02T03:04:05.000Z';
export const T2 = '2026-01-02T03:05:05.000Z';
export const T3 = '2026-01-02T03:06:05.000Z';

export function sampleTenant(name: string, given: Partial<NewTenant> = {}): NewTenant {
  return {
    id: `id of ${name}`,
    name,
    active: true,
    quota: {
      storage_bytes: 5_000_000_000_000,
      search_qps: 10,
      materialize_rate: 20,
      audit_volume_per_day: 30,
      max_user_layers: -1,
    },
    expose_scope_preview: null,
    extends_parents: null,
    created_at: T1,
    ...given,
  };
}

export function sampleLayer(id: string, given: Partial<NewLayer> = {}): NewLayer {
  const webhook = { webhook_secret: 'secret', webhook_key: `key of ${id}` };
  return newLayer({ id, created_at: T1, ...webhook, ...given });
}

/** Creates active layers, lowest precedence first. */
export async function createLayers(
  store: Store,
  tenant: number,
  ids: readonly string[],
): Promise<LayerRecord[]> {
  return store.transaction(async ({ layers }) => {
    const created: LayerRecord[] = [];
    for (const id of ids) {
      const layer = sampleLayer(id, { webhook_key: `key of ${tenant} ${id}` });
      created.push(await layers.create(tenant, layer));
    }
    return created;
  });
}

function sampleColumns(id: string, version: string): VersionColumns {
  return {
    layer: 1,
    id,
    version,
    type: 'skill',
    name: id.slice(id.lastIndexOf('/') + 1),
    description: `What ${id} does.`,
    when_to_use: [],
    tags: [],
    sensitivity: null,
    search_visibility: 'indexed',
    deprecated: false,
    replaced_by: null,
    content_hash: bytesHash(`${id}@${version}`),
    ingest_order: 1,
    ingested_at: T1,
  };
}

export function sampleVersion(given: Partial<VersionRecord> & { id: string }): VersionRecord {
  const { id, version = '1.0.0' } = given;
  return {
    ...sampleColumns(id, version),
    authored_hash: bytesHash(`authored ${id}@${version}`),
    manifest: `---\ntype: skill\nversion: ${version}\n---\nDo it.\n`,
    skill: null,
    files: [],
    extends: null,
    frontmatter: `---\ntype: skill\nversion: ${version}\n---\n`,
    refusal: null,
    source_commit: null,
    ...given,
  };
}

export type NewHead = Parameters<VersionWrites['putHeads']>[2][number];

export function sampleHead(given: Partial<HeadRecord> & { id: string }): HeadRecord {
  const { id, version = '1.0.0' } = given;
  return { ...sampleColumns(id, version), frontmatter: '---\ntype: skill\n---\n', ...given };
}

export function newHead(
  given: Partial<HeadRecord> & { id: string },
  written: Partial<Pick<NewHead, 'edges' | 'server_identifier'>> = {},
): NewHead {
  return { ...sampleHead(given), edges: [], server_identifier: null, ...written };
}

export function sampleEvent(text: string, timestamp = T1): EventBody {
  return {
    event: 'artifact.published',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    timestamp,
    actor: { subject: 'ada' },
    data: { id: text },
  };
}

export function sampleRecord(text: string): AuditRecord {
  return { type: text, timestamp: T1, trace_id: 'trace', 'caller.identity': 'ada', groups: ['x'] };
}

export function sampleRequest(given: Partial<IngestRequest> = {}): IngestRequest {
  return { full: false, retry: [], trigger: 'webhook', ...given };
}

export function sampleReport(layer: string): IngestReport {
  return {
    job: 'j1',
    layer,
    reference: '',
    accepted: 1,
    idempotent: 0,
    removed: 0,
    conflicts: [],
    lint_failures: [],
    rejected: [],
    embedding_failures: [],
    advisories: [],
  };
}
