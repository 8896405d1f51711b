import { VERSION } from '@catalog/contract/version';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { maskDsn } from '@catalog/server/config/dsn';
import type { LoadedSettings } from '@catalog/server/config/load';
import { findReach } from '@catalog/server/config/reach';
import type { Settings } from '@catalog/server/config/settings';
import type { RunningRegistry, ServedLayer } from '@catalog/server/start';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';

interface Surroundings {
  loaded: LoadedSettings;
  wrote: string | undefined;
  session: Session;
}

export async function describeStart(
  running: RunningRegistry,
  { loaded, wrote, session }: Surroundings,
): Promise<CommandResult> {
  const { settings, file } = loaded;
  const layers = await running.listLayers();
  const mode = describeMode(loaded);
  const next = nextCommand(running.url, loaded, layers, session);
  const rows: [string, Line][] = [
    ['URL', [styled('bold', running.url)]],
    ...webUi(running.url, settings),
    ...management(running),
    ['mode', mode],
    ...(await missingAdmins(running, loaded)),
    ['layers', layers.length === 0 ? 'none yet' : layers.map(({ id }) => id).join(', ')],
    ['store', describeStore(settings, (path) => shortPath(path, session))],
    ...(file === undefined
      ? []
      : [['settings', shortPath(file, session)] satisfies [string, Line]]),
  ];
  return {
    lines: [
      [styled('green', `catalog ${VERSION}`), ' registry server is running'],
      ...alignColumns(rows, '  '),
      ...(wrote === undefined
        ? []
        : [`Wrote ${shortPath(wrote, session)}, so other commands use this registry.`]),
      '',
      ['Next: ', styled('bold', next), ', in another terminal. To stop the server, press Ctrl-C.'],
    ],
    json: {
      url: running.url,
      management_url: running.management_url ?? null,
      version: VERSION,
      public_mode: settings.public_mode,
      dev: settings.dev,
      layers,
      store: describeStore(settings, (path) => path),
      settings_file: file ?? null,
      wrote: wrote ?? null,
      next,
    },
  };
}

function describeStore(settings: Settings, toText: (path: string) => string): string {
  const { 'store.dsn': dsn, 'store.sqlite_path': path } = settings;
  return dsn === undefined ? toText(path) : maskDsn(dsn);
}

/** The cookies belong to the host of the redirect URI. */
function webUi(url: string, settings: Settings): [string, Line][] {
  if (!settings['web_ui.enabled']) return [];
  const back = settings['web_ui.auth'] ? settings['web_ui.redirect_uri'] : undefined;
  return [['web UI', new URL('/app/', back ?? url).href]];
}

function management({ management_url }: RunningRegistry): [string, Line][] {
  return management_url === undefined ? [] : [['management', management_url]];
}

function describeMode({ settings }: LoadedSettings): string {
  const provider = settings['identity_provider.type'];
  if (provider !== undefined) {
    const tenants = settings.multi_tenant ? '; multi-tenant' : '';
    return `authenticated: ${provider}${tenants}`;
  }
  const dev = settings.dev ? '; edits are served immediately as +dev versions' : '';
  const may = settings.open_writes === 'deny' ? 'read' : 'read and change';
  const reach = describeExternalUrl(settings);
  const access =
    reach === undefined
      ? `reachable from this machine only${settings.open_writes === 'deny' ? ', read-only' : ''}`
      : `anyone who can reach ${reach} can ${may} everything`;
  const name = settings.public_mode
    ? 'public: anonymous access to artifacts of low sensitivity'
    : 'open: no identity provider';
  return `${name}; ${access}${dev}`;
}

/** Returns the URL for other machines; undefined if they cannot connect. */
function describeExternalUrl(settings: Settings): string | undefined {
  const key = findReach(settings);
  if (key === 'bind') return 'this address';
  if (key === 'public_url') return settings.public_url;
  return key === undefined ? undefined : `the proxy at ${settings.trusted_proxies.join(', ')}`;
}

/** Returns a warning if no administrator exists, because then no authenticated caller can create a layer. */
async function missingAdmins(
  { registry }: RunningRegistry,
  { settings }: LoadedSettings,
): Promise<[string, Line][]> {
  if (settings['identity_provider.type'] === undefined || settings.multi_tenant) return [];
  const admins = await registry.store.grants.list(ONLY_TENANT);
  if (admins.length > 0) return [];
  return [['admins', [styled('yellow', 'none; add one to bootstrap_admins and restart')]]];
}

/** Returns the next command, with `--registry` if the configuration names another registry. */
function nextCommand(
  url: string,
  { settings }: LoadedSettings,
  layers: readonly ServedLayer[],
  session: Session,
): string {
  const flag = isConfigured(url, session) ? '' : ` --registry ${url}`;
  if (settings['identity_provider.type'] === 'oidc-jwt') return `catalog login${flag}`;
  return layers.length === 0
    ? `catalog layer register <id> --local-path <folder>${flag}`
    : `catalog search${flag}`;
}

function isConfigured(url: string, { cwd, home, env }: Session): boolean {
  try {
    return loadConfig({ cwd, home, env, flags: {} }).registry?.value === url;
  } catch {
    // The command that needs the configuration reports the error.
    return false;
  }
}
