import { once } from 'node:events';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { loadSettings, type LoadedSettings } from '@catalog/server/config/load';
import { openLog, type OpenedLog } from '@catalog/server/observe/log';
import { startRegistry, type RunningRegistry } from '@catalog/server/start';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { readServerConfigFlag } from '../server-config-flag.ts';
import { bootstrapSyncFile } from './bootstrap-sync-file.ts';
import type { serveDefinition } from './definition.ts';
import { describeStart } from './describe-start.ts';
import { reload } from './reload.ts';
import { showProgress } from './show-progress.ts';

type Flags = CommandInput<typeof serveDefinition>['flags'];

/** Runs a registry until it is told to stop (CLI-09). */
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
      await untilTold(session.signal);
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

/** A home that cannot be written is no reason not to serve. */
function bootstrap(url: string, session: Session): string | undefined {
  try {
    return bootstrapSyncFile(session.home, url);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    session.note(`note: ${error.message} To use this registry, pass --registry ${url}.`);
    return undefined;
  }
}

/** The flags in the form settings take; a switch that was not given is undefined. */
function toServerFlags(flags: Flags): Record<string, string | true | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [name, value === false ? undefined : value]),
  );
}

/** The log goes to stderr: text for a person at a terminal, else a line of JSON for each thing. */
function openServerLog({ settings }: LoadedSettings, session: Session): OpenedLog {
  const output = session.openLogOutput();
  const chosen = settings['log.format'];
  const format = chosen === 'auto' ? (output.terminal ? 'text' : 'json') : chosen;
  return openLog({ level: settings['log.level'], format, output });
}

async function untilTold(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
