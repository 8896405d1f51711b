import type { SyncOptions } from '@catalog/consumer/sync/sync-options';
import { describeContent } from '@catalog/consumer/trust/approve-content';
import type { InspectedArtifact } from '@catalog/consumer/trust/inspected-content';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { count } from '../../output/text.ts';

/** Returns the prompt before the first write to the home folder; undefined without a terminal. */
export function askConsent(session: Session): SyncOptions['confirmConsent'] {
  if (!session.interactive) return undefined;
  return async ({ directory, harnesses, writes, edits }) => {
    const { confirm } = await import('@clack/prompts');
    const changed = edits.length === 0 ? '' : `, and change ${edits.join(', ')}`;
    const message = `Write ${count(writes.length, 'file')} for ${harnesses.join(', ')} into ${shortPath(directory, session)}${changed}?`;
    // The prompt writes directly, so values of registries and files must be escaped here.
    return (await confirm({ message: escapeControls(message), initialValue: false })) === true;
  };
}

export function askRemoval(session: Session): SyncOptions['confirmRemoval'] {
  if (!session.interactive) return undefined;
  return ({ directory, harnesses, removed }) =>
    confirmList(
      `Remove ${count(removed.length, 'file')} of ${harnesses.join(', ')} from ${shortPath(directory, session)}?`,
      removed,
    );
}

/** Returns the prompt before files are recorded as written by catalog. */
export function askRecovery(session: Session): SyncOptions['confirmRecovery'] {
  if (!session.interactive) return undefined;
  return ({ directory, files }) =>
    confirmList(
      `Record ${count(files.length, 'file')} in ${shortPath(directory, session)} as written by catalog? A later sync may then replace or remove ${files.length === 1 ? 'it' : 'them'}.`,
      files,
    );
}

/** Returns the prompt before executable content is written. It shows facts, already escaped. */
export function askContent(
  session: Session,
  question = 'Approve and write?',
): SyncOptions['confirmContent'] {
  if (!session.interactive) return undefined;
  return async ({ artifacts }) => {
    const { confirm } = await import('@clack/prompts');
    const message = [
      `${count(artifacts.length, 'artifact')} can run code or change permissions (+ needs approval):`,
      ...describeContent(withShortPlaces(artifacts, session)).map((line) => `  ${line}`),
      question,
    ].join('\n');
    return (await confirm({ message, initialValue: false })) === true;
  };
}

export function withShortPlaces(
  artifacts: readonly InspectedArtifact[],
  session: Session,
): InspectedArtifact[] {
  return artifacts.map((artifact) => ({
    ...artifact,
    registry: shortPath(artifact.registry, session),
  }));
}

const SHOWN_PATHS = 20;

async function confirmList(question: string, paths: readonly string[]): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const more = paths.length - SHOWN_PATHS;
  const lines = [
    ...paths.slice(0, SHOWN_PATHS).map((path) => `  ${escapeControls(path)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
  const message = [escapeControls(question), ...lines].join('\n');
  return (await confirm({ message, initialValue: false })) === true;
}
