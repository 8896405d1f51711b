import { join } from 'node:path';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { explainPath, type Explanation, type Reason } from '@catalog/consumer/sync/why';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath, shortRegistry } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { whyDefinition } from './definition.ts';

export function run(input: CommandInput<typeof whyDefinition>, session: Session): CommandResult {
  const config = loadConfig(toConfigInput(session, toConfigFlags(input.flags)));
  const explanation = explainPath(config, session.cwd, input.arguments.path);
  const kept = shortPath(join(explanation.directory, '.catalog/kept'), session);
  return {
    lines: [
      [styled('bold', input.arguments.path), `: ${STATES[explanation.state](kept)}`],
      ...explanation.reasons.flatMap((reason) => reasonLines(reason, explanation, session)),
    ],
    json: explanation,
    exit: explanation.reasons.length === 0 ? 1 : 0,
  };
}

/** Each told where hand edits are kept. */
const STATES: Readonly<Record<Explanation['state'], (kept: string) => string>> = {
  'as written': () => 'written by catalog, unchanged since',
  'edited since': (kept) =>
    `written by catalog, edited since; the next sync puts it back and keeps your version under ${kept}/`,
  missing: () => 'written by catalog, gone since; the next sync writes it again',
  'shared with you': () => 'a shared file, in which catalog keeps these entries',
  'already there': () =>
    'yours: it was there before catalog with the content an artifact needs. No sync changes or removes it; `catalog sync --take-over` hands it over',
  'not written by catalog': () => 'catalog did not write this',
};

function reasonLines(reason: Reason, { directory }: Explanation, session: Session): Line[] {
  const rows: [string, string][] = [
    ['artifact', `${reason.artifact_id} ${reason.version}`],
    ['layer', reason.layer],
    ['registry', shortRegistry(reason.registry, directory, session)],
    ['target', reason.target],
    ['harness', reason.harness],
    ['content', reason.content_hash],
  ];
  if (reason.at !== undefined) rows.unshift(['entry', reason.at.join('.')]);
  if (reason.pre_existing === true) rows.push(['owner', 'you: it was there before catalog']);
  return ['', ...alignColumns(rows, '  ')];
}
