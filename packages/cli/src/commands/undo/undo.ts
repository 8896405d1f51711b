import { loadConfig } from '@catalog/consumer/config/load-config';
import { undoLastSync, type UndoneFolder } from '@catalog/consumer/sync/undo';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { count, styled, type Line, type Style } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { askTrust } from '../sync/ask-trust.ts';
import { noteWaiting } from '../sync/deliver.ts';
import type { undoDefinition } from './definition.ts';

export async function run(
  { flags }: CommandInput<typeof undoDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  const dry_run = flags['dry-run'];
  const report = await undoLastSync(
    config,
    {
      dry_run,
      trust: flags.trust,
      confirmTrust: askTrust(session),
      onWait: (holder) => noteWaiting(holder, session),
    },
    session.signal,
  );
  const next = dry_run
    ? 'Next: to apply this, run `catalog undo`.'
    : 'The next `catalog sync` installs the current state of the registry again.';
  return {
    lines: [...report.folders.flatMap((folder) => folderLines(folder, dry_run, session)), next],
    json: report,
  };
}

const SHOWN_PATHS = 20;

function folderLines(
  { directory, restored, removed, skipped, kept }: UndoneFolder,
  dryRun: boolean,
  session: Session,
): Line[] {
  const verb = dryRun ? 'Would restore' : 'Restored';
  return [
    `${verb} ${count(restored.length, 'file')} and ${dryRun ? 'remove' : 'removed'} ${removed.length} in ${shortPath(directory, session)}`,
    ...pathLines('+', 'green', restored),
    ...pathLines('-', 'red', removed),
    ...skipped.map((path): Line => [
      styled('yellow', 'skipped'),
      ` ${path}: changed since the last sync`,
    ]),
    ...kept.map(({ path, kept_at }): Line => [
      styled('yellow', 'kept'),
      ` ${path}: saved after the last sync replaced it; that version is in ${kept_at}`,
    ]),
  ];
}

function pathLines(mark: string, style: Style, paths: readonly string[]): Line[] {
  const lines = paths
    .slice(0, SHOWN_PATHS)
    .map((path): Line => ['  ', styled(style, mark), ` ${path}`]);
  const more = paths.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more; to list all, add --json`] : lines;
}
