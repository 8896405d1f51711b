import { isIP, isIPv6 } from 'node:net';
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { classifyRepo, type NetworkRepo } from '@catalog/core/layer/classify-repo';
import type { GitCredential } from '@catalog/core/ports/git-credential';
import type { ReachedLayer } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';
import { type AddressCheck, checkAddress } from '../../egress/check-address.ts';
import { findOpenAddress } from '../../egress/find-open-address.ts';
import { type Relay, startRelay } from '../../egress/start-relay.ts';
import { unresponsive } from './fetch-problem.ts';
import { findCredential } from './find-credential.ts';
import type { GitCall, GitConfig } from './git-program.ts';
import type { GitOptions } from './git-options.ts';
import { sshCommand } from './ssh-command.ts';
import { unreachable } from '../unreachable.ts';

export interface Remote extends Required<Pick<GitCall, 'config' | 'environment' | 'transport'>> {
  close(): Promise<void>;
}

async function nothingToClose(): Promise<void> {}

/**
 * Checks the target (SPEC-54), pins the connection to the checked address, and adds stored credentials
 * if the layer may use them.
 */
export async function prepareRemote(
  tenant: Tenant,
  layer: ReachedLayer,
  options: GitOptions,
  signal: AbortSignal,
): Promise<Remote> {
  const place = classifyRepo(layer.repo);
  if (place.kind === 'host_path') return hostPath(layer);
  if (place.has_password) {
    throw unreachable(
      layer,
      'its URL contains a password, which anyone who can see the layer could read',
      'Register it without the password. An operator can store credentials for the host in git.credentials.',
    );
  }
  const destination = { ...place, user_named: isUserNamed(tenant, layer, options) };
  const check = await checkAddress(destination, options.egress, options.resolve, signal);
  if (check.kind === 'refused') {
    // All failures share one message, because it must not reveal which internal names exist.
    const what = 'the registry may not connect to its host';
    const action =
      'Use an https or ssh URL of a public host, or ask an operator to add the host to egress.allowed_hosts.';
    const cause = new Error(check.reason);
    throw check.is_unresolved === true
      ? new UnresponsiveHost(layer.id, what, action, cause)
      : unreachable(layer, what, action, cause);
  }
  const credential = findCredential(place, await listCredentials(tenant, layer, options));
  return place.scheme === 'ssh'
    ? overSsh(layer, place, check, credential, options)
    : overHttp(layer, place, check, credential, options, signal);
}

/** Returns a repository on the registry's own host. The permission was checked when the layer was registered. */
function hostPath(layer: ReachedLayer): Remote {
  const path = layer.repo.startsWith('file:///') ? toPath(layer.repo) : layer.repo;
  if (path === undefined || !isAbsolute(path) || path.includes('\0')) {
    throw unreachable(
      layer,
      'its repo is neither a URL nor an absolute path',
      'Register it with an https or ssh URL, or with the absolute path of a repository on the registry host.',
    );
  }
  const config: GitConfig[] = [['remote.origin.url', path]];
  return { config, environment: {}, transport: 'file', close: nothingToClose };
}

function toPath(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

async function overHttp(
  layer: ReachedLayer,
  { scheme, host, port, path }: NetworkRepo,
  check: AddressCheck,
  credential: GitCredential | undefined,
  { egress, limits }: GitOptions,
  signal: AbortSignal,
): Promise<Remote> {
  const address = `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
  const config: GitConfig[] = [['remote.origin.url', address]];
  let relay: Relay | undefined;
  if (check.kind === 'pinned') {
    const open = await openAddress(layer, check.addresses, port, limits.connect_time_ms, signal);
    if (isIP(host) === 0) config.push(['http.curloptResolve', `${host}:${port}:${open}`]);
  } else if (check.kind === 'proxied' && scheme === 'http') {
    config.push(['http.proxy', check.proxy]);
  } else if (check.kind === 'proxied') {
    relay = await startRelay(
      check.proxy,
      { host, port, addresses: check.addresses },
      trustOf(egress),
      limits.connect_time_ms,
    );
    config.push(['http.proxy', relay.url], ['http.proxyAuthMethod', 'basic']);
  }
  if (egress.ca_file !== undefined) config.push(['http.sslCAInfo', egress.ca_file]);
  if (credential?.password !== undefined) {
    const pair = `${credential.username ?? ''}:${credential.password}`;
    const header = `Authorization: Basic ${Buffer.from(pair).toString('base64')}`;
    config.push([`http.${address}.extraHeader`, header]);
  }
  const transport = scheme === 'http' ? 'http' : 'https';
  return { config, environment: {}, transport, close: async () => relay?.close() };
}

/** Returns the first address that accepts a connection: git itself has no connect timeout for HTTP. */
async function openAddress(
  layer: ReachedLayer,
  addresses: readonly string[],
  port: number,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await findOpenAddress(addresses, port, timeout_ms, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw unresponsive(layer, cause instanceof Error ? cause : new Error(String(cause)));
  }
}

/** Creates the TLS context for additional certificate authorities; undefined if there are none. */
function trustOf({ ca_file }: GitOptions['egress']): SecureContext | undefined {
  return ca_file === undefined
    ? undefined
    : createSecureContext({ ca: readFileSync(ca_file, 'utf8') });
}

function overSsh(
  layer: ReachedLayer,
  { host, port }: NetworkRepo,
  check: AddressCheck,
  credential: GitCredential | undefined,
  { known_hosts }: GitOptions,
): Remote {
  const command = sshCommand({
    host,
    port,
    address: check.kind === 'pinned' ? (check.addresses[0] ?? host) : host,
    ssh_key: credential?.ssh_key,
    known_hosts,
  });
  return {
    config: [['remote.origin.url', layer.repo]],
    environment: { GIT_SSH_COMMAND: command },
    transport: 'ssh',
    close: nothingToClose,
  };
}

/**
 * Returns true if a user chose the host of a layer. On a multi-tenant registry, tenant administrators count as users:
 * only the operator may use internal names.
 */
function isUserNamed(
  tenant: Tenant,
  layer: ReachedLayer,
  { tenants }: Pick<GitOptions, 'tenants'>,
): boolean {
  if (layer.user_defined) return true;
  return tenants !== undefined && !tenants.isDeclared(tenant, layer);
}

/** Returns the credentials that a layer may use: none for a personal layer, otherwise those of its tenant. */
async function listCredentials(
  tenant: Tenant,
  { user_defined }: ReachedLayer,
  { credentials, tenants }: Pick<GitOptions, 'credentials' | 'tenants'>,
): Promise<readonly GitCredential[]> {
  if (user_defined || credentials.length === 0) return [];
  if (tenants === undefined) return credentials;
  const name = await tenants.nameOf(tenant);
  if (name === undefined) return [];
  return credentials.filter((credential) => credential.tenant === name);
}
