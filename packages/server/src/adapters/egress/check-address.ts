import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isInNetworks, type AddressNetwork } from '@catalog/core/network/address-network';
import { addressProblem } from '@catalog/core/network/address-problem';
import { isListed } from '@catalog/core/network/host-list';

/** What the operator says about outgoing requests. */
export interface EgressRules {
  /** Hosts that may be reached by plain http and at addresses that are not public. */
  allowed_hosts: readonly string[];
  /** Networks whose addresses may be reached although they are not public. */
  allowed_networks?: readonly AddressNetwork[];
  proxy: { http: string | undefined; https: string | undefined; except: readonly string[] };
  /** Certificate authorities to trust beside the usual ones, in PEM. */
  ca_file: string | undefined;
}

/** Where a request is about to go. */
export interface Destination {
  scheme: string;
  /** Lower case, an IPv6 address without its brackets. */
  host: string;
  port: number;
  /** Named by a user and not by an administrator: a name that does not resolve here is refused. */
  user_named?: boolean;
}

export type AddressCheck =
  /** Connect to one of these and to nothing else, whatever the name means a moment later. */
  | { kind: 'pinned'; addresses: readonly string[] }
  /** The proxy connects to one of these addresses; it resolves the name itself if there are none. */
  | { kind: 'proxied'; proxy: string; addresses: readonly string[] }
  /** `reason` is for the log: what a name means inside a network is not for every caller to know. */
  | { kind: 'refused'; reason: string; is_unresolved?: true };

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** As the operating system resolves: names, the hosts file, and odd spellings of an address too. */
export async function resolveHost(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

const RESOLVE_MS = 5000;

/**
 * The one gate every outgoing request passes (SPEC-54): https and ssh to public addresses; plain
 * http and other addresses only for hosts the operator lists; nothing else. The name is resolved once
 * and every answer has to pass, so that neither a second answer nor a second question leads elsewhere.
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
  const addresses = isIP(host) === 0 ? await ask(host, resolve, signal) : [host];
  if (addresses.length === 0 && (proxy === undefined || destination.user_named === true)) {
    return { kind: 'refused', reason: `${host} has no IP address`, is_unresolved: true };
  }
  for (const address of listed ? [] : addresses) {
    const problem = reachProblem(address, rules);
    if (problem !== undefined) {
      return { kind: 'refused', reason: `${host} is ${address}, which ${problem}` };
    }
  }
  // Behind a proxy names of the world outside may mean nothing here.
  return proxy === undefined
    ? { kind: 'pinned', addresses }
    : { kind: 'proxied', proxy, addresses };
}

/** Why the rules do not allow an address; undefined if they do. */
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

/** A name server that does not answer in time has no answer. */
async function ask(
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
