import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Config } from '@catalog/consumer/config/types';
import type { SyncReport } from '@catalog/consumer/sync/report';
import { runSync } from '@catalog/consumer/sync/run-sync';
import type { Progress, SyncOptions } from '@catalog/consumer/sync/sync-options';
import type { CommandResult, Session } from '../../command/session.ts';
import { progressBar } from '../../output/progress.ts';
import { count, type Line } from '../../output/text.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { noteReadOnly } from '../note-read-only.ts';
import { noteWarnings } from '../note-warnings.ts';
import { renderProblems, renderReport, type Reading } from './render-report.ts';

type Render = (report: SyncReport, reading: Reading) => Line[];

interface Delivery extends Omit<SyncOptions, 'onProgress' | 'onWait' | 'onReadOnly' | 'signIn'> {
  render?: Render;
}

/** Runs a sync and tells how it goes; the commands that deliver differ in options and in what they tell. */
export async function deliver(
  config: Config,
  { render = renderReport, ...options }: Delivery,
  session: Session,
): Promise<CommandResult> {
  noteWarnings(config, session);
  const report = await runSync(
    config,
    {
      ...options,
      onProgress: (progress) => session.progress(progressLine(progress)),
      onWait: (holder) => noteWaiting(holder, session),
      onReadOnly: noteReadOnly(session),
      signIn: signInOnFirstUse(config, session),
    },
    session.signal,
  );
  return toResult(report, render, { config, ...session });
}

export function noteWaiting(holder: string, session: Session): void {
  session.note(`waiting for another sync of this folder (${holder})`);
}

/** What `--quiet` leaves: problems. */
export function renderQuietly({ targets }: SyncReport, reading: Reading): Line[] {
  return targets.flatMap((target) => renderProblems(target, reading));
}

/** The report in both languages; `--check` fails when something would change. */
export function toResult(report: SyncReport, render: Render, reading: Reading): CommandResult {
  const lines = render(report, reading);
  const result = { lines, json: report };
  const changes = report.targets.reduce((sum, target) => sum + target.changes.length, 0);
  if (report.mode !== 'check' || changes === 0) return result;
  const error = new CatalogError(
    'materialize.would_change',
    `A sync would change ${count(changes, 'file')}.`,
    { details: { changes } },
  );
  return { ...result, error };
}

function progressLine({ phase, done, total }: Progress): string {
  return PHASES[phase](done, total);
}

const PHASES: Readonly<Record<Progress['phase'], (done: number, total: number) => string>> = {
  read: () => 'reading the registry',
  load: (done, total) =>
    `${progressBar(done, total)} loading ${done} of ${count(total, 'artifact')}`,
  plan: (_, total) => `planning ${count(total, 'artifact')}`,
  write: (done, total) => `${progressBar(done, total)} writing ${done} of ${count(total, 'file')}`,
};
