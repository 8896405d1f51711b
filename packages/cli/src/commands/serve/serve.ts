import { once } from 'node:events';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { type LoadedSettings, loadSettings } from '@catalog/server/config/load';
import { type Log, type OpenedLog, openLog } from '@catalog/server/observe/log';
import { type OpenIngest, type RunningRegistry, startRegistry } from '@catalog/server/start';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { readServerConfigFlag } from '../server-config-flag.ts';
import type { serveDefinition } from './definition.ts';
import { describeStart } from './describe-start.ts';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { prepareUserSyncFile, userSyncFile } from '@catalog/consumer/config/user-sync-file';
import { formatSyncFile, STANDALONE_REGISTRY } from '../sync-file-text.ts';
import { writeNewFile } from '../write-new-file.ts';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/** Shows progress until the first ingests have ended. */
async function showProgress(running: RunningRegistry, session: Session): Promise<void> {
  const { signal, progress, openLogOutput } = session;
  if (!openLogOutput().terminal) return;
  do {
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    const ingests = signal.aborted ? [] : await running.listIngests();
    if (ingests.length === 0) return;
    progress(describe(ingests));
  } while (!signal.aborted);
}

function describe(ingests: readonly OpenIngest[]): string {
  const running = ingests.filter((ingest) => ingest.running).map(describeOne);
  const waiting = ingests.length - running.length;
  const parts = waiting === 0 ? running : [...running, `${waiting} waiting`];
  return `ingesting ${parts.join(', ')}`;
}

function describeOne({ layer, phase, done, total }: OpenIngest): string {
  const share = total === 0 ? '' : done === 0 ? ` ${total}` : ` ${done} of ${total}`;
  return `${layer} (${phase}${share})`;
}

type Flags = CommandInput<typeof serveDefinition>['flags'];

export async function run(
  { flags }: CommandInput<typeof serveDefinition>,
  session: Session,
): Promise<CommandResult> {
  const { cwd, home, env } = session;
  const config = readServerConfigFlag(flags.config, 'serve');
  const load = (): LoadedSettings =>
    loadSettings({ cwd, home, env, flags: toServerFlags(flags), config });
  const loaded = load();
  const { log, flush } = openServerLog(loaded, session);
  let started: RunningRegistry | undefined;
  session.onHangup(() => reload(log, load, started));
  try {
    const running = await startRegistry(loaded.settings, log, session.signal);
    started = running;
    try {
      const wrote = bootstrap(running.url, session);
      session.emit(await describeStart(running, { loaded, wrote, session }));
      await showProgress(running, session);
      await waitForAbort(session.signal);
      log.info('stopping: draining requests and jobs');
    } finally {
      await running.close();
    }
    log.info('stopped');
  } finally {
    await flush();
  }
  return { lines: [], json: undefined };
}

/** Configures the other commands. If the home folder is not writable, the registry still starts. */
function bootstrap(url: string, session: Session): string | undefined {
  try {
    return bootstrapSyncFile(session.home, url);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    session.note(`note: ${error.message} To use this registry, pass --registry ${url}.`);
    return undefined;
  }
}

function toServerFlags(flags: Flags): Record<string, string | true | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [name, value === false ? undefined : value]),
  );
}

function openServerLog({ settings }: LoadedSettings, session: Session): OpenedLog {
  const output = session.openLogOutput();
  const chosen = settings['log.format'];
  const format = chosen === 'auto' ? (output.terminal ? 'text' : 'json') : chosen;
  return openLog({ level: settings['log.level'], format, output });
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * Writes a `sync.yaml` that names the local registry, at its first start (CLI-10). An existing file stays (SPEC-44).
 * Nothing is written for an unusual URL, which may be temporary.
 */
function bootstrapSyncFile(home: string, url: string): string | undefined {
  const path = userSyncFile(home);
  if (url !== STANDALONE_REGISTRY || existsSync(path)) return undefined;
  const text = formatSyncFile({ registry: STANDALONE_REGISTRY });
  writeNewFile(
    { path, text, prepare: () => prepareUserSyncFile(home) },
    { root: dirname(path), purpose: 'settings' },
    false,
  );
  return path;
}

/**
 * Loads the log level and the TLS files again. Invalid ones leave the previous values. A registry that is still
 * starting has no certificate to replace.
 */
function reload(
  log: Log,
  load: () => LoadedSettings,
  running: Pick<RunningRegistry, 'reloadCertificate'> | undefined,
): void {
  try {
    log.level = load().settings['log.level'];
    log.info({ log_level: log.level }, 'reloaded the log level');
  } catch (error) {
    log.error({ error }, 'failed to reload the log level; keeping the current one');
  }
  try {
    if (running?.reloadCertificate() === true) log.info('reloaded the TLS certificate');
  } catch (error) {
    log.error({ error }, 'failed to reload the TLS certificate; keeping the current one');
  }
}
