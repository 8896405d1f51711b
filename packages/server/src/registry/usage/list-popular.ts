import type { PopularResponse } from '@catalog/contract/records/usage';
import { POPULAR_DAYS, type PopularPlace } from '@catalog/core/ports/artifact-usage';
import { BATCH, MAX_READ, toEntry } from '../discover/head-filter.ts';
import { invalidCursor } from '../discover/invalid-cursor.ts';
import { listWinners } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

export interface PopularQuery {
  limit: number;
  cursor: string;
}

/**
 * Reads up to `BATCH` rows of each visible layer per step, and at most `MAX_READ` rows per request.
 * Leaves out artifacts that a higher layer replaces.
 */
export async function listPopular(
  registry: Registry,
  context: CallContext,
  { limit, cursor }: PopularQuery,
): Promise<PopularResponse> {
  const { tenant } = context;
  const view = await resolveView(registry, context);
  const artifacts: PopularResponse['artifacts'] = [];
  let after = cursor === '' ? undefined : readCursor(cursor);
  // The cursor names only a listed artifact, because the caller may not see others.
  let listed: PopularPlace | undefined;
  let hasMore = true;
  for (let read = 0; hasMore && artifacts.length < limit && read < MAX_READ; read += BATCH) {
    const page = { after, limit: BATCH };
    const rows = await registry.store.artifact_usage.listPopular(tenant, view.stack, page);
    const winners = await listWinners(context, view, [...new Set(rows.map(({ id }) => id))]);
    hasMore = rows.length === BATCH;
    for (const { layer, id, uses } of rows) {
      if (artifacts.length === limit) {
        hasMore = true;
        break;
      }
      after = { uses, id };
      const head = winners.get(id);
      if (head?.layer === layer && head.search_visibility === 'indexed') {
        artifacts.push({ ...toEntry(view, head), uses });
        listed = after;
      }
    }
  }
  return {
    days: POPULAR_DAYS,
    artifacts,
    ...(hasMore && listed !== undefined ? { next_cursor: writeCursor(listed) } : {}),
  };
}

function writeCursor({ uses, id }: PopularPlace): string {
  return `${uses} ${id}`;
}

const CURSOR = /^(\d{1,15}) (.+)$/s;

function readCursor(cursor: string): PopularPlace {
  const [, uses = '', id = ''] = CURSOR.exec(cursor) ?? [];
  if (uses === '') throw invalidCursor();
  return { uses: Number(uses), id };
}
