import { isLoopbackHost, loadBindAddress } from './bind-address.ts';
import type { Settings } from './settings.ts';

export type ReachSetting = 'bind' | 'public_url' | 'trusted_proxies';

/** Finds the setting that makes a registry reachable beyond this machine (SPEC-92). */
export function findReach(settings: Pick<Settings, ReachSetting>): ReachSetting | undefined {
  const { bind, public_url, trusted_proxies } = settings;
  if (!isLoopbackHost(loadBindAddress(bind).host)) return 'bind';
  if (public_url !== undefined && !isLoopbackUrl(public_url)) return 'public_url';
  return trusted_proxies.length > 0 ? 'trusted_proxies' : undefined;
}

function isLoopbackUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isLoopbackHost(host) || host.endsWith('.localhost');
}
