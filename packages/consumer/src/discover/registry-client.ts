import { openClient, type RegistryClient } from '@catalog/sdk/client';
import { openNodeTransport } from '../source/node-transport.ts';

/** The client of a server, over Node's own connections. */
export function openRegistryClient(
  registry: string,
  proxy: Readonly<Record<string, string>>,
): RegistryClient {
  return openClient({ registry, transport: openNodeTransport(proxy) });
}
