import { loadConfig } from '@catalog/consumer/config/load-config';
import { listOutdated, type OutdatedArtifact } from '@catalog/consumer/sync/outdated';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import type { outdatedDefinition } from './definition.ts';

export async function run(
  input: CommandInput<typeof outdatedDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(input.flags)));
  const outdated = await listOutdated(
    config,
    { signIn: signInOnFirstUse(config, session) },
    session.signal,
  );
  if (outdated.length === 0) {
    return { lines: ['Everything here is what the registry offers.'], json: { outdated } };
  }
  const header = ['artifact', 'here', 'registry', 'target'].map((title): Line => [
    styled('bold', title),
  ]);
  return {
    lines: [
      ...alignColumns([header, ...outdated.map(toRow)]),
      '',
      'Next: `catalog update` brings all of them, `catalog update <id>` one.',
    ],
    json: { outdated },
    exit: 1,
  };
}

function toRow({ id, locked, available, change, target }: OutdatedArtifact): Line[] {
  // A folder registry can change an artifact without raising its version.
  const same = change === 'changed' && locked === available;
  return [
    id,
    locked ?? '(not delivered)',
    available === undefined ? '(gone)' : same ? `${available} (other contents)` : available,
    target,
  ];
}
