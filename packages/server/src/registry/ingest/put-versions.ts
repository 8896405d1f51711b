import { edgesOf, identifierOf } from '@catalog/core/ingest/to-version-record';
import { listTargets } from '@catalog/core/artifact/targets-harness';
import type { Artifact } from '@catalog/core/artifact/types';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { StoredSignature } from '@catalog/core/ports/signatures';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Edge, HeadRecord, VersionRecord } from '@catalog/core/ports/versions';
import { buildEvent } from '../events/build-event.ts';
import type { AuditContext } from '../audit-context.ts';
import { chooseHead, toHead } from './choose-head.ts';
import type { StoredFacts } from './gather-stored.ts';
import type { PlannedVersion } from './plan-ingest.ts';

export type NewHead = HeadRecord & { edges: readonly Edge[]; server_identifier: string | null };

export interface PutVersions {
  layer: { id: string; number: LayerNumber };
  facts: StoredFacts;
  planned: readonly PlannedVersion[];
  signatures: readonly StoredSignature[];
  serverOf: (identifier: string) => string | undefined;
  occasion: AuditContext;
}

/** Stores versions, serves those that are now the latest, and emits their events. */
export async function putVersions(
  writes: StoreWrites,
  tenant: Tenant,
  { layer, facts, planned, signatures, serverOf, occasion }: PutVersions,
): Promise<void> {
  const first = await writes.versions.takeIngestOrders(tenant, planned.length);
  const records = planned.map(({ record }, index): VersionRecord => ({
    ...record,
    ingest_order: first + index,
  }));
  await writes.versions.putBlobs(
    tenant,
    planned.flatMap(({ blobs }) => blobs),
  );
  await writes.versions.putVersions(tenant, layer.id, records);
  await writes.signatures.put(tenant, signatures);
  const heads = planned.flatMap(({ accepted }, index): NewHead[] => {
    const record = records[index];
    if (record === undefined) return [];
    const known = facts.versions.get(record.id) ?? [];
    if (chooseHead([...known, record])?.version !== record.version) return [];
    return [
      {
        ...toHead(record),
        edges: edgesOf(accepted.artifact, accepted.parent, serverOf),
        server_identifier: serverIdentifier(accepted.artifact),
      },
    ];
  });
  await serveHeads(writes, tenant, layer.number, heads, facts);
  await writes.outbox.append(
    tenant,
    records.flatMap((record) => announce(occasion, layer.id, record)),
  );
}

function announce(
  occasion: AuditContext,
  layer: string,
  { id, version, content_hash, deprecated }: VersionRecord,
): ReturnType<typeof buildEvent>[] {
  const published = buildEvent(occasion, 'artifact.published', {
    id,
    version,
    content_hash,
    layer,
  });
  if (!deprecated) return [published];
  return [published, buildEvent(occasion, 'artifact.deprecated', { id, version, layer })];
}

export async function serveHeads(
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerNumber,
  heads: readonly NewHead[],
  facts: Pick<StoredFacts, 'heads'>,
): Promise<void> {
  if (heads.length === 0) return;
  await writes.versions.putHeads(tenant, layer, heads);
  const found = heads.filter(isFound);
  const hidden = heads.filter((head) => !isFound(head) && facts.heads.has(head.id));
  await writes.search.putDocuments(tenant, layer, found.map(toDocument));
  await writes.search.removeDocuments(
    tenant,
    layer,
    hidden.map(({ id }) => id),
  );
  await writes.domains.countHeads(tenant, layer, {
    added: heads.map(({ id }) => id),
    removed: [],
  });
}

export function isFound({ search_visibility, deprecated }: HeadRecord): boolean {
  return search_visibility === 'indexed' && !deprecated;
}

export function toDocument(head: HeadRecord): SearchDocument {
  const { id, type, tags, name, description, when_to_use, frontmatter } = head;
  const target_harnesses = listTargets(frontmatter);
  return { id, type, tags, name, description, when_to_use, target_harnesses };
}

/** Returns the name of an MCP server: declared in its manifest, or derived from its command. */
export function serverIdentifier({ type, fields, name }: Artifact): string | null {
  if (type !== 'mcp-server') return null;
  if (fields.server_identifier !== undefined) return fields.server_identifier;
  const { command, args, transport } = fields;
  return identifierOf({
    name,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(transport === undefined ? {} : { transport }),
  });
}

/** Withdraws artifacts. Their versions stay (SPEC-20). */
export async function withdrawHeads(
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await writes.domains.countHeads(tenant, layer, { added: [], removed: ids });
  await writes.search.removeDocuments(tenant, layer, ids);
  await writes.versions.removeHeads(tenant, layer, ids);
}
