import { readFileSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { monotonicMs } from './adapters/clock.ts';
import { newSecret, newTraceId } from './adapters/id.ts';
import type { ComposedRegistry } from './compose.ts';
import { loadBindAddress, toOrigin } from './config/bind-address.ts';
import type { SettingKey, Settings } from './config/settings.ts';
import { createApp } from './http/app.ts';
import { clientAddressBehind, trustedProxyCheck } from './http/client-address.ts';
import { maxMainConnections } from './http/connection-limits.ts';
import type { AllowedHosts } from './http/check-origin.ts';
import { RequestsInProgress } from './http/requests-in-progress.ts';
import type { Route } from './http/route.ts';
import { allRoutes, managementRoutes } from './http/routes/table.ts';
import { scimAuthority } from './http/scim/scim-authority.ts';
import { startHttp, type HttpServerOptions, type RunningHttp } from './http/start-http.ts';
import { tokenSource } from './identity/token-source.ts';
import { createCallerName } from './observe/caller-name.ts';
import type { Log } from './observe/log.ts';
import { observeRequests } from './observe/observe-requests.ts';

export interface Listening {
  url: string;
  management_url: string | undefined;
  replaceCertificate: RunningHttp['replaceCertificate'];
  listRequests(): Record<string, number>;
  close: RunningHttp['close'];
}

export async function listen(
  settings: Settings,
  tls: HttpServerOptions['tls'],
  { registry, identity, metrics, web_ui }: ComposedRegistry,
  log: Log,
): Promise<Listening> {
  const { management_bind } = settings;
  const measurements = settings.metrics ? metrics : undefined;
  const in_progress = new RequestsInProgress();
  const key = settings['log.caller_key'] ?? newSecret();
  const callerName = createCallerName(settings['log.caller'], key);

  async function open(key: BindKey, bind: string, routes: readonly Route[]): Promise<Listener> {
    const { host, port } = loadBindAddress(bind);
    const listener = createApp({
      registry,
      routes,
      identify: (incoming) => identity.identify(incoming),
      allowed_hosts: key === 'bind' ? allowedHosts(settings) : 'any',
      clientAddress: clientAddressBehind(settings.trusted_proxies),
      newRequestId: newTraceId,
      monotonicMs,
      in_progress,
      ...observeRequests(log, metrics, { settings, callerName }),
    });
    try {
      const http = await startHttp({
        host,
        port,
        tls,
        listener,
        isTrustedProxy: trustedProxyCheck(settings.trusted_proxies),
        ...(key === 'bind' && { limits: { maxConnections: maxMainConnections() } }),
      });
      return { http, url: toOrigin({ host, port: http.port }, tls !== undefined) };
    } catch (cause) {
      throw listenError(key, bind, cause);
    }
  }

  const routes = allRoutes({
    measurements: management_bind === undefined ? measurements : undefined,
    web_ui,
    token_source: tokenSource(settings),
    scim: scimAuthority(settings),
  });
  const main = await open('bind', settings.bind, routes);
  const listeners = [main];
  try {
    if (management_bind !== undefined) {
      const management = managementRoutes(measurements);
      listeners.push(await open('management_bind', management_bind, management));
    }
  } catch (error) {
    await main.http.close({ drain_ms: 0 });
    throw error;
  }
  return {
    url: main.url,
    management_url: listeners[1]?.url,
    replaceCertificate(replacement) {
      for (const { http } of listeners) http.replaceCertificate(replacement);
    },
    listRequests: () => in_progress.list(),
    async close(options) {
      await Promise.all(listeners.map(({ http }) => http.close(options)));
    },
  };
}

type BindKey = 'bind' | 'management_bind';

interface Listener {
  http: RunningHttp;
  url: string;
}

/**
 * Returns the host names that requests may use. Any name is allowed if callers authenticate; otherwise the check
 * prevents DNS rebinding (SPEC-53, SPEC-92).
 */
function allowedHosts(settings: Settings): AllowedHosts {
  if (needsCredential(settings)) return 'any';
  const { allowed_hosts, public_url } = settings;
  const known = public_url === undefined ? [] : [new URL(public_url).hostname];
  return new Set([...allowed_hosts, ...known].map((name) => name.toLowerCase()));
}

function needsCredential(settings: Settings): boolean {
  const type = settings['identity_provider.type'];
  if (type === 'trusted-headers') return (settings['identity_provider.proxy_secret'] ?? '') !== '';
  return type !== undefined;
}

export function readTls(settings: Settings): HttpServerOptions['tls'] {
  const { 'tls.cert': cert, 'tls.key': key } = settings;
  if (cert === undefined || key === undefined) return undefined;
  const tls = { cert: readPem('tls.cert', cert), key: readPem('tls.key', key) };
  try {
    process.getBuiltinModule('node:tls').createSecureContext(tls);
    return tls;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('config.invalid', `Cannot serve https with ${cert}: ${why}.`, {
      details: { key: 'tls.cert', path: cert },
      suggested_action: 'Provide a PEM certificate and its private key.',
      cause,
    });
  }
}

function readPem(setting: SettingKey, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CatalogError('config.invalid', `${setting}: ${path} cannot be read.`, {
      details: { key: setting, path },
      suggested_action: 'Provide a PEM file that the registry can read.',
      cause,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'this user is not allowed to use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host name cannot be resolved',
};

function listenError(key: BindKey, bind: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = 'code' in cause ? String(cause.code) : '';
  const reason = REASONS[code] ?? cause.message;
  return new CatalogError('config.invalid', `Cannot listen on ${bind}: ${reason}.`, {
    details: { key, value: bind },
    suggested_action: listenAdvice(key, code),
    cause,
  });
}

function listenAdvice(key: BindKey, code: string): string {
  if (key === 'management_bind') return 'Choose another address or port for management_bind.';
  return code === 'EADDRINUSE'
    ? 'Stop the other program, or choose another port: `--bind 127.0.0.1:8081`.'
    : 'Choose another address or port with --bind.';
}
