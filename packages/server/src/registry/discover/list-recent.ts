import type { RecentResponse } from '@catalog/contract/records/discovery';
import type { HeadRecord, RecentPage, RecentPlace } from '@catalog/core/ports/versions';
import { isWithin } from '@catalog/core/text/slash-path';
import { listWinners } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import { BATCH, MAX_READ, passes, toEntry, type HeadFilter } from './head-filter.ts';
import { invalidCursor } from './invalid-cursor.ts';

export interface RecentQuery extends HeadFilter {
  scope: string;
  limit: number;
  cursor: string;
}

const NOW: RecentPlace = { ingested_at: '9999-12-31T23:59:59.999Z', id: '' };

/**
 * Lists artifacts by ingest time, newest first. A request reads at most `MAX_READ` heads in batches per visible layer,
 * and its cursor continues after the last one.
 */
export async function listRecent(
  registry: Registry,
  context: CallContext,
  { scope, limit, cursor, ...filter }: RecentQuery,
): Promise<RecentResponse> {
  const view = await resolveView(registry, context);
  const found: HeadRecord[] = [];
  let place: RecentPlace | undefined = cursor === '' ? NOW : readCursor(cursor);
  for (
    let read = 0;
    place !== undefined && found.length < limit && read < MAX_READ;
    read += BATCH
  ) {
    const page: RecentPage = await view.reads.versions.listRecent(context.tenant, view.stack, {
      before: place,
      limit: BATCH,
    });
    const ids = [...new Set(page.heads.map(({ id }) => id))];
    const winners = await listWinners(context, view, ids);
    place = page.next;
    const shown = new Set<string>();
    for (const { id, ingested_at } of page.heads) {
      if (filter.updated_since !== undefined && ingested_at < filter.updated_since) {
        place = undefined;
        break;
      }
      if (found.length === limit) break;
      const head = winners.get(id);
      if (head?.ingested_at !== ingested_at || shown.has(id)) continue;
      shown.add(id);
      if (!isWithin(id, scope) || !passes(view, head, filter)) continue;
      found.push(head);
      if (found.length === limit) place = { ingested_at, id };
    }
  }
  return {
    artifacts: found.map((head) => toEntry(view, head)),
    ...(place === undefined ? {} : { next_cursor: writeCursor(place) }),
  };
}

function writeCursor({ ingested_at, id }: RecentPlace): string {
  return `${ingested_at} ${id}`;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (.+)$/s;

function readCursor(cursor: string): RecentPlace {
  const [, ingested_at = '', id = ''] = CURSOR.exec(cursor) ?? [];
  if (!Number.isNaN(Date.parse(ingested_at))) return { ingested_at, id };
  throw invalidCursor();
}
