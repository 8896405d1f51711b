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
  'as written': () => 'managed by catalog, unchanged',
  'edited since': (kept) =>
    `managed by catalog, edited by you; the next sync restores it and keeps your version in ${kept}/`,
  missing: () => 'managed by catalog, deleted; the next sync restores it',
  'shared with you': () => 'shared file; catalog manages these entries',
  'already there': () =>
    'yours: it existed before catalog, with the content of an artifact. A sync never changes or removes it; to let catalog manage it, use `catalog sync --take-over`',
  'an artifact': () => 'an artifact that catalog delivered here',
  'not written by catalog': () => 'not managed by catalog',
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
  if (reason.pre_existing === true) rows.push(['owner', 'you: existed before catalog']);
  for (const [index, path] of (reason.paths ?? []).entries()) {
    rows.push([index === 0 ? 'files' : '', path]);
  }
  return ['', ...alignColumns(rows, '  ')];
}
