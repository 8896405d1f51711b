import {
  startRegistry,
  type RegistryServer,
  type RegistryServerOptions,
} from './registry-server.ts';

/**
 * Replaces a registry by an empty one with the same URL, which can serve other content for a published version. Start
 * the first one with `keep`.
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
