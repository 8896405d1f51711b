import { listTrusted, type TrustedFile } from '@catalog/consumer/trust/list-trusted';
import { trustFile } from '@catalog/consumer/trust/trust-file';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import type { trustListDefinition } from './definition.ts';

export function run(
  _input: CommandInput<typeof trustListDefinition>,
  session: Session,
): CommandResult {
  const files = listTrusted(trustFile(session.home));
  if (files.length === 0) return { lines: ['You have not trusted any file yet.'], json: { files } };
  const header = ['file', 'state'].map((title): Line => [styled('bold', title)]);
  const rows = files.map(({ file, state }) => [shortPath(file, session), describeState(state)]);
  return { lines: alignColumns([header, ...rows]), json: { files } };
}

/** The state of a trusted file in a few words. */
export function describeState(state: TrustedFile['state']): string {
  return {
    unchanged: 'unchanged',
    changed: 'changed since; asked for again',
    missing: 'missing',
    entry: 'one entry of this file',
  }[state];
}
