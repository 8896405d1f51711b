import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import type { SignInState } from '@catalog/consumer/identity/sign-in-state';
import { readStatus, type Status, type TargetStatus } from '@catalog/consumer/status';
import type { TargetReport } from '@catalog/consumer/sync/report';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { envelopeLines } from '../../output/describe-error.ts';
import { shortPath, shortRegistry } from '../../output/places.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { describeExpiry } from '../identity/describe-expiry.ts';
import { noteReadOnly } from '../note-read-only.ts';
import { noteWarnings } from '../note-warnings.ts';
import { saveHints } from '../sync/render-toggles.ts';
import type { statusDefinition } from './definition.ts';

export async function run(
  input: CommandInput<typeof statusDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(input.flags)));
  noteWarnings(config, session);
  const status = await readStatus(
    config,
    { onReadOnly: noteReadOnly(session), signIn: signInOnFirstUse(config, session) },
    session.signal,
  );
  return {
    lines: [
      ...alignColumns([
        ['workspace', shortPath(status.workspace, session)],
        ['registry', registryOf(status, session)],
        ...(status.sign_in.kind === 'not-needed' ? [] : [['signed in', signInOf(status.sign_in)]]),
        ...(status.overlay === undefined ? [] : [['overlay', shortPath(status.overlay, session)]]),
      ]),
      '',
      ...status.targets.flatMap((target) => targetLines(target, config, session)),
      ...lateLines(status, session),
      '',
      ...outlookLines(status, session),
    ],
    json: status,
  };
}

function registryOf({ registry, workspace }: Status, session: Session): string {
  return registry === undefined ? 'none' : shortRegistry(registry, workspace, session);
}

/** Describes the sign-in from local data; the following sync shows whether the registry accepts the token. */
function signInOf(state: SignInState): string {
  if (state.kind === 'unreadable') return state.message;
  if (state.kind !== 'signed-in') return 'no; run `catalog login` if the registry requires it';
  const { subject, source } = state;
  return `${subject === undefined ? 'yes' : `as ${subject}`}, token from ${source}, ${describeExpiry(state)}`;
}

function extentOf({ files, entries }: TargetStatus): string {
  const inEntries = count(entries, 'entry', 'entries');
  if (entries > 0 && files === 0) return inEntries;
  return entries === 0 ? count(files, 'file') : `${count(files, 'file')} and ${inEntries}`;
}

function targetLines(target: TargetStatus, config: Config, session: Session): Line[] {
  const { toggles, profile } = target;
  const isPlain = target.target === 'default' || target.target === target.harness;
  const name = isPlain ? '' : `${target.target}: `;
  const folder = shortPath(target.directory, session);
  const lines: Line[] = [
    [
      name,
      styled('bold', target.harness),
      `  ${count(target.artifacts, 'artifact')} (${extentOf(target)})${folder === '.' ? '' : ` in ${folder}`}`,
      profile === undefined ? '' : `, profile ${profile}`,
    ],
  ];
  if (!target.selected) {
    lines.push('  from an earlier sync; not part of the current configuration or flags');
  }
  if (target.pre_existing > 0) {
    lines.push(
      `  ${count(target.pre_existing, 'file or entry', 'files and entries')} of yours already had the same content and stay unmanaged`,
    );
  }
  if (toggles.add.length > 0) lines.push(`  enabled temporarily: ${toggles.add.join(', ')}`);
  if (toggles.remove.length > 0) lines.push(`  disabled temporarily: ${toggles.remove.join(', ')}`);
  if (toggles.add.length + toggles.remove.length > 0) {
    lines.push('  the next plain sync resets this', ...saveHints(toggles, config));
  }
  if (target.interrupted) {
    lines.push([
      '  ',
      styled('yellow', 'the last sync was interrupted'),
      '; the next sync repairs it',
    ]);
  }
  if (!target.authenticated) {
    lines.push([
      '  ',
      styled('yellow', 'your home folder is not writable'),
      ', so catalog cannot record which files it created',
    ]);
  }
  return lines;
}

function lateLines({ kept }: Status, session: Session): Line[] {
  return kept.map(({ directory, path, kept_at }) => [
    styled('yellow', 'kept'),
    ` ${path}: saved after the last sync replaced it; that version is in ${shortPath(`${directory}/${kept_at}`, session)}`,
  ]);
}

function outlookLines({ outlook, registry = '' }: Status, session: Session): Line[] {
  if (outlook.kind === 'failing') {
    return envelopeLines([styled('red', 'A sync would fail')], outlook.error, session);
  }
  const rejected = rejectedLines(outlook.rejected, registry);
  if (outlook.kind === 'in-sync') return [[styled('green', 'Up to date')], ...rejected];
  const changes = outlook.targets.flatMap(changesOf);
  return [
    ...behindLines(changes.filter(({ is_behind }) => is_behind).length),
    ...editedLines(changes.filter(({ edited }) => edited).map(({ path }) => path)),
    ...rejected,
  ];
}

interface PendingChange {
  path: string;
  edited: boolean;
  /** True if the registry or the configuration changed after the last sync. */
  is_behind: boolean;
}

function changesOf({ changes, moved }: TargetReport): PendingChange[] {
  const ids = new Set(moved.map(({ id }) => id));
  return changes.map(({ path, edited = false, artifact_ids }) => ({
    path,
    edited,
    is_behind: !edited || artifact_ids.some((id) => ids.has(id)),
  }));
}

function behindLines(files: number): Line[] {
  if (files === 0) return [];
  return [
    [styled('yellow', 'Out of date'), `: a sync would change ${count(files, 'file')}.`],
    'Next: to list the changes, run `catalog sync --dry-run`; to apply them, `catalog sync`.',
  ];
}

function editedLines(paths: readonly string[]): Line[] {
  if (paths.length === 0) return [];
  const files = [...new Set(paths)].sort();
  return [
    [styled('yellow', 'Edited'), `: ${count(files.length, 'file')} edited since the last sync.`],
    ...files.map((path) => `  ${path}`),
    'Next: `catalog sync` restores the registry version and keeps yours in .catalog/kept/.',
  ];
}

function rejectedLines(rejected: number, registry: string): Line[] {
  if (rejected === 0) return [];
  const message = `${count(rejected, 'artifact')} rejected`;
  const command = isAddress(registry) ? 'catalog layer ingests <layer>' : 'catalog lint';
  return [[styled('yellow', message), `; for details, run \`${command}\`.`]];
}
