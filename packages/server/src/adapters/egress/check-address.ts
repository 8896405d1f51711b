import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isInNetworks, type AddressNetwork } from '@catalog/core/network/address-network';
import { addressProblem } from '@catalog/core/network/address-problem';
import { isListed } from '@catalog/core/network/host-list';

export interface EgressRules {
  /** Hosts that may be reached over plain HTTP and at addresses that are not public. */
  allowed_hosts: readonly string[];
  allowed_networks?: readonly AddressNetwork[];
  proxy: { http: string | undefined; https: string | undefined; except: readonly string[] };
  /** PEM file, in addition to the default certificate authorities. */
  ca_file: string | undefined;
}

export interface Destination {
  scheme: string;
  /** Lowercase; an IPv6 address has no brackets. */
  host: string;
  port: number;
  /** True if a user, not an administrator, chose the host name. Such a name must resolve on this machine. */
  user_named?: boolean;
}

export type AddressCheck =
  | { kind: 'pinned'; addresses: readonly string[] }
  /** `addresses` is empty if only the proxy resolves the name. */
  | { kind: 'proxied'; proxy: string; addresses: readonly string[] }
  /** `reason` is for the log only: it may reveal internal addresses. */
  | { kind: 'refused'; reason: string; is_unresolved?: true };

export type Resolve = (host: string) => Promise<readonly string[]>;

export async function resolveHost(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

const RESOLVE_MS = 5000;

/**
 * Checks an outgoing request (SPEC-54). Only hosts that the operator lists may use plain HTTP or an
 * address that is not public. The name is resolved once and every address must pass, which prevents DNS
 * rebinding.
 */
export async function checkAddress(
  destination: Destination,
  rules: EgressRules,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<AddressCheck> {
  const { scheme, host, port } = destination;
  const listed = isListed(rules.allowed_hosts, host, port);
  if (scheme !== 'https' && scheme !== 'ssh' && !(scheme === 'http' && listed)) {
    return { kind: 'refused', reason: `${scheme} is not allowed for ${host}` };
  }
  const proxy = proxyFor(destination, rules);
  const addresses = isIP(host) === 0 ? await resolveInTime(host, resolve, signal) : [host];
  if (addresses.length === 0 && (proxy === undefined || destination.user_named === true)) {
    return { kind: 'refused', reason: `${host} has no IP address`, is_unresolved: true };
  }
  for (const address of listed ? [] : addresses) {
    const problem = reachProblem(address, rules);
    if (problem !== undefined) {
      return { kind: 'refused', reason: `${host} is ${address}, which ${problem}` };
    }
  }
  // Behind a proxy, public names may not resolve on this machine.
  return proxy === undefined
    ? { kind: 'pinned', addresses }
    : { kind: 'proxied', proxy, addresses };
}

export function reachProblem(
  address: string,
  { allowed_networks = [] }: EgressRules,
): string | undefined {
  return isInNetworks(allowed_networks, address) ? undefined : addressProblem(address);
}

function proxyFor({ scheme, host, port }: Destination, { proxy }: EgressRules): string | undefined {
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  return isListed(proxy.except, host, port) ? undefined : proxy[scheme];
}

/** Resolves a host name. Returns no addresses if the name server does not respond in time. */
async function resolveInTime(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal]);
  try {
    const late = delay(RESOLVE_MS, undefined, { signal: stop }).then(() => []);
    return await Promise.race([resolve(host).catch(() => []), late]);
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  } finally {
    done.abort();
  }
}
