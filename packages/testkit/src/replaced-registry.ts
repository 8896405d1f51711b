import {
  startRegistry,
  type RegistryServer,
  type RegistryServerOptions,
} from './registry-server.ts';

/**
 * Replaces a registry with an empty one at the same URL, so that it can serve other content for a
 * published version. The first one was started with `keep`.
 */
export async function replaceRegistry(
  server: RegistryServer,
  options: RegistryServerOptions,
): Promise<RegistryServer> {
  await server.close();
  return startRegistry({
    ...options,
    settings: { ...options.settings, bind: new URL(server.url).host },
  });
}
