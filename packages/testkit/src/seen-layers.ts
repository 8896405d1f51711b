import { previewScope } from '@catalog/contract/endpoints/discovery';
import type { RegistryServer } from './registry-server.ts';
import { errorOf } from './checked-response.ts';

export async function seenLayers(
  server: RegistryServer,
  headers: Readonly<Record<string, string>>,
): Promise<string[] | string> {
  const { body } = await server.request(previewScope, { headers });
  const preview = previewScope.responses[200].safeParse(body);
  return preview.success ? preview.data.layers.sort() : (errorOf(body)?.code ?? '');
}
