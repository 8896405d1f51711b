import { getObject as endpoint } from '@catalog/contract/endpoints/materialization';
import { openObject } from '../../registry/load/open-object.ts';
import { defineRoute } from '../route.ts';

export const objectsRoute = defineRoute(endpoint, async ({ registry, context, params, method }) => {
  const object = await openObject(registry, context, params.key);
  const headers = {
    'Content-Length': String(object.size),
    'X-Catalog-Content-Hash': object.content_hash,
    // A shared cache would answer past the check of who may see it.
    'Cache-Control': 'private, no-cache',
  };
  if (method === 'HEAD') return { kind: 'empty', status: 200, headers };
  const media_type = 'application/octet-stream';
  return { kind: 'stream', status: 200, chunks: await object.open(), media_type, headers };
});
