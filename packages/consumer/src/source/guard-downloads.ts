import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isListed } from '@catalog/core/network/host-list';
import type { Transport } from '@catalog/sdk/transport';
import { now } from '../clock.ts';

export interface DownloadRules {
  /** Registry URL; requests to its origin may go to any address. */
  registry: string;
  /** Hosts with private addresses that all registries may refer to. */
  object_hosts: readonly string[];
}

type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Prevents a registry from sending requests into the user's network: it chooses the URLs of large files. Only a
 * registry that itself has private addresses may refer to private hosts. Connections use the checked addresses; behind
 * a proxy, names may not resolve on this machine.
 */
export function guardDownloads(
  transport: Transport,
  { registry, object_hosts }: DownloadRules,
  resolve: Resolve = resolveHost,
  clock: () => number = now,
): Transport {
  const origin = new URL(registry);
  const own = openRegistryHost(hostOf(origin), resolve, clock);
  return async (request) => {
    const url = new URL(request.url);
    if (url.origin === origin.origin) {
      return transport({ ...request, addresses: await own.resolve() });
    }
    const host = hostOf(url);
    if (isListed(object_hosts, host, portOf(url))) return transport(request);
    if (await own.isPrivate()) return transport(request);
    const { addressProblem } = await import('@catalog/core/network/address-problem');
    const addresses = await addressesOf(host, resolve);
    const found = addresses.find((address) => addressProblem(address) !== undefined);
    if (found !== undefined) throw refused(registry, url, found);
    return transport({ ...request, addresses });
  };
}

const RESOLVED_FOR_MS = 60_000;

interface RegistryHost {
  resolve: () => Promise<readonly string[]>;
  /** Returns true if all addresses that the registry ever had are private. */
  isPrivate: () => Promise<boolean>;
}

function openRegistryHost(host: string, resolve: Resolve, clock: () => number): RegistryHost {
  let current: Promise<readonly string[]> | undefined;
  let resolved_at = 0;
  // Past addresses count, because a kept-alive connection may still use one.
  const all = new Set<string>();
  let is_unresolved = false;
  async function resolveAgain(): Promise<readonly string[]> {
    const addresses = await addressesOf(host, resolve);
    for (const address of addresses) all.add(address);
    if (addresses.length === 0) is_unresolved = true;
    return addresses;
  }
  function resolveOnce(): Promise<readonly string[]> {
    if (current === undefined || clock() - resolved_at > RESOLVED_FOR_MS) {
      resolved_at = clock();
      current = resolveAgain();
    }
    return current;
  }
  return {
    resolve: resolveOnce,
    isPrivate: async () => {
      await resolveOnce();
      const { isPrivateAddress } = await import('@catalog/core/network/private-address');
      return !is_unresolved && [...all].every(isPrivateAddress);
    },
  };
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const { isIP } = process.getBuiltinModule('node:net');
  return isIP(host) === 0 ? resolve(host) : [host];
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const { lookup } = process.getBuiltinModule('node:dns/promises');
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Returns a host in lowercase, an IPv6 address without brackets. */
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
