import { catalog as endpoint } from '@catalog/contract/endpoints/discovery';
import { streamCatalog } from '../../registry/discover/stream-catalog.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute } from '../route.ts';

export const catalogRoute = defineRoute(endpoint, async (call) => {
  const { etag, chunks } = await streamCatalog(call.registry, call.context, call.query.scope);
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  return { kind: 'stream', status: 200, chunks: chunks(), media_type: 'application/json', headers };
});
