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
import { noteTrustedKeys } from '../note-trusted-keys.ts';
import { policyDenied } from '@catalog/consumer/trust/approve-content';
import { changedMeanwhile } from '@catalog/consumer/sync/changed-meanwhile';
import {
  failingRejections,
  rejectionError,
  type FailingRejection,
} from '@catalog/consumer/sync/artifacts-rejected';
import { explainCommand } from './explain-command.ts';
import { askConsent, askContent, askRecovery, askRemoval } from './ask-consent.ts';
import { askTrust } from './ask-trust.ts';
import { noteWarnings } from '../note-warnings.ts';
import { renderReport, type Reading } from './render-report.ts';

type Render = (report: SyncReport, reading: Reading) => Line[];

interface Delivery extends Omit<
  SyncOptions,
  | 'onProgress'
  | 'onWait'
  | 'onReadOnly'
  | 'onKeysTrusted'
  | 'signIn'
  | 'confirmTrust'
  | 'confirmConsent'
  | 'confirmRemoval'
  | 'confirmRecovery'
  | 'confirmContent'
> {
  render?: Render;
  verbose?: boolean;
}

/** Runs a sync, for all commands that install artifacts. */
export async function deliver(
  config: Config,
  { render = renderReport, verbose = false, ...options }: Delivery,
  session: Session,
): Promise<CommandResult & { json: SyncReport }> {
  noteWarnings(config, session);
  const report = await runSync(
    config,
    {
      ...options,
      onProgress: (progress) => session.progress(progressLine(progress)),
      onWait: (holder) => noteWaiting(holder, session),
      onReadOnly: noteReadOnly(session),
      onKeysTrusted: noteTrustedKeys(session),
      signIn: signInOnFirstUse(config, session),
      confirmTrust: askTrust(session),
      confirmConsent: askConsent(session),
      confirmRemoval: askRemoval(session),
      confirmRecovery: askRecovery(session),
      confirmContent: askContent(session),
    },
    session.signal,
  );
  return toResult(report, render, { config, verbose, ...session });
}

/** Prints that another sync of this folder is running, described by `holder`. */
export function noteWaiting(holder: string, session: Session): void {
  session.note(`Waiting for another sync of this folder (${holder})`);
}

/** Returns the result of a sync, which fails if a target failed or, with `--check`, if anything would change. */
export function toResult(
  report: SyncReport,
  render: Render,
  reading: Reading,
): CommandResult & { json: SyncReport } {
  const lines = render(report, reading);
  const rejected = [...failingRejections(report).values()];
  const layers = rejected.map(({ layer }) => layer);
  const explain = explainCommand(reading.config, layers, reading);
  const error =
    failureOf(report) ??
    changedIn(report) ??
    rejectionError(report, nextForRejected(rejected, explain)) ??
    deniedIn(report) ??
    driftOf(report);
  const result = { lines, json: report };
  return error === undefined ? result : { ...result, error };
}

/** Only catalog adds diagnostics, so a rejection without any comes from a server. */
function nextForRejected(rejected: readonly FailingRejection[], explain: string): string {
  return rejected.every(({ diagnostics }) => diagnostics.length === 0)
    ? `Ask the author of the layer to fix them, or leave them out with --exclude. For details, run \`${explain}\`.`
    : `Fix these files, then sync again. For details, run \`${explain}\`.`;
}

/** Summarizes failures, whose details are with each target. */
function failureOf({ targets, error }: SyncReport): CatalogError | undefined {
  const failed = targets.filter((target) => target.error !== undefined).map(({ target }) => target);
  if (failed.length === 0 && error === undefined) return undefined;
  const what = [...(error === undefined ? [] : ['the workspace targets']), ...failed];
  return new CatalogError('materialize.publish_failed', `Failed: ${what.join(', ')}.`, {
    details: { targets: failed },
    suggested_action: 'Fix the failures above, then run the command again.',
  });
}

/** Returns the error for files that other programs changed during the sync; the next one writes them. */
export function changedIn({ targets }: SyncReport): CatalogError | undefined {
  const target = targets.find(({ changed_meanwhile }) => changed_meanwhile !== undefined);
  return target?.changed_meanwhile === undefined
    ? undefined
    : changedMeanwhile(target.directory, target.changed_meanwhile);
}

function deniedIn({ targets }: SyncReport): CatalogError | undefined {
  const denied = new Map(
    targets.flatMap((target) => target.denied ?? []).map((one) => [one.artifact_id, one]),
  );
  return denied.size === 0 ? undefined : policyDenied([...denied.values()]);
}

function driftOf({ mode, targets }: SyncReport): CatalogError | undefined {
  const changes = targets.reduce((sum, target) => sum + target.changes.length, 0);
  if (mode !== 'check' || changes === 0) return undefined;
  return new CatalogError(
    'materialize.would_change',
    `A sync would change ${count(changes, 'file')}.`,
    { details: { changes } },
  );
}

function progressLine({ phase, done, total }: Progress): string {
  return PHASES[phase](done, total);
}

const PHASES: Readonly<Record<Progress['phase'], (done: number, total: number) => string>> = {
  read: () => 'Reading the registry',
  load: (done, total) =>
    `${progressBar(done, total)} Loading ${done} of ${count(total, 'artifact')}`,
  plan: (_, total) => `Planning ${count(total, 'artifact')}`,
  write: (done, total) => `${progressBar(done, total)} Writing ${done} of ${count(total, 'file')}`,
};
