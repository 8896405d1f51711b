import { loadConfig } from '@catalog/consumer/config/load-config';
import { explainPath, type Explanation, type Reason } from '@catalog/consumer/sync/why';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { whyDefinition } from './definition.ts';

export function run(input: CommandInput<typeof whyDefinition>, session: Session): CommandResult {
  const config = loadConfig(toConfigInput(session, toConfigFlags(input.flags)));
  const explanation = explainPath(config, session.cwd, input.arguments.path);
  return {
    lines: [
      [styled('bold', explanation.path), `: ${STATES[explanation.state]}`],
      ...explanation.reasons.flatMap((reason) => reasonLines(reason, session)),
    ],
    json: explanation,
    exit: explanation.reasons.length === 0 ? 1 : 0,
  };
}

const STATES: Readonly<Record<Explanation['state'], string>> = {
  'as written': 'written by catalog, unchanged since',
  'edited since':
    'written by catalog, edited since; the next sync puts it back and keeps your version beside it',
  missing: 'written by catalog, gone since; the next sync writes it again',
  'shared with you': 'a shared file, in which catalog keeps these entries',
  'not written by catalog': 'catalog did not write this',
};

function reasonLines(reason: Reason, session: Session): Line[] {
  const rows: [string, string][] = [
    ['artifact', `${reason.artifact_id} ${reason.version}`],
    ['layer', reason.layer],
    ['registry', shortPath(reason.registry, session)],
    ['target', reason.target],
    ['harness', reason.harness],
    ['content', reason.content_hash],
  ];
  if (reason.at !== undefined) rows.unshift(['entry', reason.at.join('.')]);
  return ['', ...alignColumns(rows, '  ')];
}
