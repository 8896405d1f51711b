import { PAGE_DEFAULT } from '@catalog/contract/limits';
import type { ArtifactEntry } from '@catalog/contract/records/discovery';
import type { DomainReader } from '@catalog/core/domain/domain-reader';
import { renderDomainMap, type DomainMap } from '@catalog/core/domain/render-domain-map';
import { listWinners } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { countDomains, type CountedMap } from './count-domains.ts';
import { toEntry } from './head-filter.ts';
import { invalidCursor } from './invalid-cursor.ts';

export interface DomainRequest {
  path: string;
  /** Depth; if absent or 0, the default of the domain applies. */
  depth?: number | undefined;
  counts?: boolean;
  /** A limit or a cursor selects a page of artifacts; without both, the response has none. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface DomainPage {
  artifacts?: ArtifactEntry[];
  next_cursor?: string;
}

/** Loads a domain, with the display settings of the registry and of the domain's author. */
export async function loadDomain(
  registry: Registry,
  context: CallContext,
  { path, depth = 0, counts = false, limit, cursor }: DomainRequest,
): Promise<(DomainMap | CountedMap) & DomainPage> {
  const view = await resolveView(registry, context);
  const reader = view.reads.domains.openReader(context.tenant, view.stack);
  const { discovery } = registry.settings;
  const withCounts = (map: DomainMap): Promise<DomainMap | CountedMap> =>
    counts ? countDomains(reader, map) : Promise.resolve(map);
  if (limit === undefined && cursor === undefined) {
    const { map } = await renderDomainMap(reader, { path, depth, discovery });
    return withCounts(map);
  }
  const size = limit ?? PAGE_DEFAULT;
  const place = readCursor(cursor ?? '');
  const page =
    place.kind === 'domain' ? { after: place.after, limit: size } : { after: '', limit: 0 };
  const { map, facts } = await renderDomainMap(reader, { path, depth, discovery, page });
  const counted = await withCounts(map);
  if (facts.last_child !== undefined) {
    const next_cursor = writeCursor({ kind: 'domain', after: facts.last_child });
    return { ...counted, artifacts: [], next_cursor };
  }
  const after = place.kind === 'artifact' ? place.after : '';
  const members = { path, after, limit: size - facts.children };
  return { ...counted, ...(await listMembers(reader, context, view, members)) };
}

async function listMembers(
  reader: DomainReader,
  context: CallContext,
  view: View,
  { path, after, limit }: { path: string; after: string; limit: number },
): Promise<DomainPage> {
  const members = await reader.listMembers({ path, folded: [] }, { id: after }, limit + 1);
  const ids = members.slice(0, limit).map(({ id }) => id);
  const heads = await listWinners(context, view, ids);
  const artifacts = ids.flatMap((id) => {
    const head = heads.get(id);
    return head === undefined ? [] : [toEntry(view, head)];
  });
  if (members.length <= limit) return { artifacts };
  return {
    artifacts,
    next_cursor: writeCursor({ kind: 'artifact', after: ids.at(-1) ?? after }),
  };
}

interface ChildPosition {
  kind: 'domain' | 'artifact';
  after: string;
}

function writeCursor({ kind, after }: ChildPosition): string {
  return `${kind} ${after}`;
}

function readCursor(cursor: string): ChildPosition {
  if (cursor === '') return { kind: 'domain', after: '' };
  const [, kind, after = ''] = /^(domain|artifact) (.*)$/s.exec(cursor) ?? [];
  if (kind === 'domain' || kind === 'artifact') return { kind, after };
  throw invalidCursor();
}
