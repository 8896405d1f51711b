import { getObject as endpoint } from '@catalog/contract/endpoints/materialization';
import { openObject, type VisibleObject } from '../../registry/load/open-object.ts';
import { defineRoute } from '../route.ts';

export const objectsRoute = defineRoute(endpoint, async ({ registry, context, params, method }) => {
  const object = await openObject(registry, context, params.key);
  if (method === 'HEAD') {
    return { kind: 'empty', status: 200, headers: headersOf(object, await object.size()) };
  }
  const { size, stream } = await object.open();
  const media_type = 'application/octet-stream';
  return {
    kind: 'stream',
    status: 200,
    chunks: stream,
    media_type,
    headers: headersOf(object, size),
  };
});

function headersOf({ content_hash }: VisibleObject, size: number): Record<string, string> {
  return {
    'Content-Length': String(size),
    'X-Catalog-Content-Hash': content_hash,
    // A shared cache would answer past the check of who may see it.
    'Cache-Control': 'private, no-cache',
  };
}
