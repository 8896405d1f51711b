import { openApi } from '@catalog/contract/endpoints/operations';
import { openApiDocument } from '@catalog/contract/open-api';
import { defineRoute } from '../route.ts';

let bytes: Uint8Array | undefined;

/** The document is the same for every caller and lives as long as the program. */
export const openApiRoute = defineRoute(openApi, async () => {
  bytes ??= Buffer.from(JSON.stringify(openApiDocument()));
  return { kind: 'bytes', status: 200, bytes };
});
