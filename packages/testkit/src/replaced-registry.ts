import {
  startRegistry,
  type RegistryServer,
  type RegistryServerOptions,
} from './registry-server.ts';

/**
 * Closes a registry that was started with `keep`, and starts another one with a new store at the same
 * URL: the way a consumer comes to see other content under a published version.
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
