import { isIP } from 'node:net';
import { isIn, isPublic, toList, unmapIpv4 } from './addresses.ts';
import type { History, Step } from './history.ts';

export type Expectation =
  | 'reached'
  | 'refused'
  /** Result that depends on lookups and on the proxy; connections are checked anyway. */
  | 'open';

/** Permitted targets of a history, determined without the code under test. */
export interface Policy {
  isAllowedAddress(address: string): boolean;
  isListedHost(host: string, port: number): boolean;
}

export function toPolicy({ allowed_targets }: History): Policy {
  const isNetwork = (target: string): boolean => isIP(target.replace(/\/\d+$/, '')) !== 0;
  const networks = toList(allowed_targets.filter(isNetwork));
  const hosts = allowed_targets.filter((target) => !isNetwork(target));
  return {
    isAllowedAddress: (address) => isPublic(address) || isIn(networks, address),
    isListedHost: (host, port) =>
      hosts.some((entry) => {
        const [name = '', only = String(port)] = entry.split(':');
        if (only !== String(port)) return false;
        return name.startsWith('*') ? host.endsWith(name.slice(1)) : host === name;
      }),
  };
}

export function expectStep(history: History, step: Step, policy: Policy): Expectation {
  const { host, port, is_valid } = step;
  if (!is_valid) return 'refused';
  if (host.startsWith('localhost') || host === 'ip6-localhost') return 'open';
  const answers =
    isIP(host) === 0
      ? history.names.find(({ name }) => name === host)?.answers
      : [[unmapIpv4(host)]];
  // A name whose addresses change may be reached while they are public.
  if (answers === undefined || answers.length !== 1) return 'open';
  const [addresses = []] = answers;
  const isListed = policy.isListedHost(host, port);
  if (isListed && history.proxy !== 'none') return 'open';
  if (addresses.length === 0) return 'refused';
  if (!isListed && !addresses.every((address) => policy.isAllowedAddress(address)))
    return 'refused';
  const isConnectable = history.proxy === 'none' || history.proxy === 'open';
  return isConnectable && addresses.every(acceptsConnections) ? 'reached' : 'open';
}

/** False for addresses to which the kernel itself refuses connections. */
function acceptsConnections(address: string): boolean {
  return !/^(?:22[4-9]|23\d|255|0)\.|^fe[89ab]|^ff|^::$|^(?:0:){7}0$/i.test(unmapIpv4(address));
}
