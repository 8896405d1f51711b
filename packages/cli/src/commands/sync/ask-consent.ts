import type { SyncOptions } from '@catalog/consumer/sync/sync-options';
import { escapeControls } from '@catalog/core/text/escape-controls';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { count } from '../../output/text.ts';

/** Asks before the first write into the home folder; absent where nobody can answer. */
export function askConsent(session: Session): SyncOptions['confirmConsent'] {
  if (!session.interactive) return undefined;
  return async ({ directory, harnesses, writes, edits }) => {
    const { confirm } = await import('@clack/prompts');
    const changed = edits.length === 0 ? '' : `, and change ${edits.join(', ')}`;
    const message = `Write ${count(writes.length, 'file')} for ${harnesses.join(', ')} into ${shortPath(directory, session)}${changed}?`;
    // The prompt writes by itself, past the one place that escapes what registries and files say.
    return (await confirm({ message: escapeControls(message), initialValue: false })) === true;
  };
}
