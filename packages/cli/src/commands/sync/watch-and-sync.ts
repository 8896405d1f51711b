import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { RegistryError } from '@catalog/sdk/registry-error';
import type { Config } from '@catalog/consumer/config/types';
import type { SyncReport } from '@catalog/consumer/sync/report';
import { watch } from '@catalog/consumer/watch/watch';
import type { CommandResult, Session } from '../../command/session.ts';
import { describeError } from '../../output/describe-error.ts';
import { shortPath, shortRegistry } from '../../output/places.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { describeStreamChange } from '../describe-stream-change.ts';
import { noteWarnings } from '../note-warnings.ts';
import { noteWaiting, toResult } from './deliver.ts';
import { renderQuietly, renderReport } from './render-report.ts';

interface WatchFlags {
  poll: boolean;
  quiet: boolean;
  verbose: boolean;
  'ignore-runtime': boolean;
  strict: boolean;
}

/** Errors that need the user, or that end when the registry recovers; the watch continues. */
const PAUSING: ReadonlySet<string> = new Set([
  'auth.identity_changed',
  'materialize.removal_refused',
]);

export async function watchAndSync(
  loadConfig: () => Config,
  flags: WatchFlags,
  session: Session,
): Promise<CommandResult> {
  let config = loadConfig();
  noteWarnings(config, session);

  function emitReport(report: SyncReport): void {
    const render = flags.quiet ? renderQuietly : renderReport;
    const result = toResult(report, render, { config, verbose: flags.verbose, ...session });
    session.emit(result);
    if (result.error !== undefined) noteError(result.error);
  }

  function noteError(error: CatalogError | RegistryError): void {
    for (const line of describeError(error, session).lines) session.note(line);
    if (PAUSING.has(error.code)) session.note('Paused until the next change');
  }

  await watch(
    () => {
      config = loadConfig();
      return config;
    },
    {
      poll: flags.poll,
      ignore_runtime: flags['ignore-runtime'],
      strict: flags.strict,
      onRun: emitReport,
      onFailedRun: (error) => {
        noteError(error);
        if (session.json) session.emit({ lines: [], json: { error: error.toEnvelope() } });
      },
      onReady: ({ places, polling }) => {
        const shown = places.map((place) => shortRegistry(place, session.cwd, session));
        const how = polling.length === 0 ? '' : ' (polling every half second)';
        session.note(`Watching ${shown.join(' and ')}${how}. To stop, press Ctrl-C.`);
      },
      onFallback: (folder) => {
        session.note(
          `${shortPath(folder, session)} does not support file events; polling every half second instead`,
        );
      },
      onNews: (news) => session.note(describeStreamChange(news)),
      onWait: (holder) => noteWaiting(holder, session),
      signIn: signInOnFirstUse(config, session),
    },
    session.signal,
  );
  return { lines: [], json: undefined };
}
