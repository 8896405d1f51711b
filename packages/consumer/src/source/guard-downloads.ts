import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isListed } from '@catalog/core/network/host-list';
import type { Transport } from '@catalog/sdk/transport';

export interface DownloadRules {
  /** The URL of the registry; requests to its origin pass unchecked. */
  registry: string;
  /** Hosts at private addresses that any registry may name: `object_hosts` of the user. */
  object_hosts: readonly string[];
}

/** Resolves a host name to all of its addresses; empty if it has none. */
type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Wraps a transport so that a registry at a public address cannot send the client to a private one:
 * the URLs of large files are the registry's words, and a request to them comes from inside the
 * user's network. The connection is made to the addresses that were checked. Behind a proxy a name
 * that does not resolve here is left to the proxy.
 */
export function guardDownloads(
  transport: Transport,
  { registry, object_hosts }: DownloadRules,
  resolve: Resolve = resolveHost,
): Transport {
  const origin = new URL(registry);
  let isRegistryPrivate: Promise<boolean> | undefined;
  return async (request) => {
    const url = new URL(request.url);
    if (url.origin === origin.origin) return transport(request);
    const host = hostOf(url);
    if (isListed(object_hosts, host, portOf(url))) return transport(request);
    isRegistryPrivate ??= findPrivate(hostOf(origin), resolve).then(
      ({ found }) => found !== undefined,
    );
    if (await isRegistryPrivate) return transport(request);
    const { found, addresses } = await findPrivate(host, resolve);
    if (found !== undefined) throw refused(registry, url, found);
    return transport({ ...request, addresses });
  };
}

/** Resolves a host and returns the first address that is not public. */
async function findPrivate(
  host: string,
  resolve: Resolve,
): Promise<{ addresses: readonly string[]; found: string | undefined }> {
  const { isIP } = process.getBuiltinModule('node:net');
  const { addressProblem } = await import('@catalog/core/network/address-problem');
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  return { addresses, found: addresses.find((address) => addressProblem(address) !== undefined) };
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const { lookup } = process.getBuiltinModule('node:dns/promises');
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Lower case, an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function refused(registry: string, url: URL, address: string): CatalogError {
  return new CatalogError(
    'materialize.fetch_failed',
    `The registry at ${registry} sent a download URL at ${url.host}, which is the private address ${address}. catalog did not connect to it.`,
    {
      suggested_action: `If this is the object store of your organization, add ${url.host} to object_hosts in ~/.catalog/sync.yaml.`,
    },
  );
}
