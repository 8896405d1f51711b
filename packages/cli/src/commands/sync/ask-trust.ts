import type { TrustOptions } from '@catalog/consumer/trust/require-trust';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';

/** Returns the prompt for trust; undefined without a terminal, where the error suggests `--trust`. */
export function askTrust(session: Session): TrustOptions['confirmTrust'] {
  if (!session.interactive) return undefined;
  return async ({ file, wants, changed }) => {
    const { confirm } = await import('@clack/prompts');
    const state = changed ? ' has changed since you trusted it. It' : '';
    const lines = wants.map((want) => `\n  ${escapeControls(want)}`);
    // The prompt writes directly, so values of files must be escaped here.
    const message = `${escapeControls(shortPath(file, session))}${state} requests permission to:${lines.join('')}\nTrust it?`;
    return (await confirm({ message, initialValue: false })) === true;
  };
}
