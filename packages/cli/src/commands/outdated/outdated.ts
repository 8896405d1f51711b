import { loadConfig } from '@catalog/consumer/config/load-config';
import { describeChange, howToAccept } from '@catalog/consumer/sync/describe-change';
import { listOutdated, type OutdatedArtifact } from '@catalog/consumer/sync/outdated';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { renderContent } from '../render-content.ts';
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
    return { lines: ['All artifacts are up to date'], json: { outdated } };
  }
  const header = ['artifact', 'here', 'registry', 'target'].map((title): Line => [
    styled('bold', title),
  ]);
  return {
    lines: [
      ...alignColumns([header, ...outdated.map(toRow)]),
      ...contentLines(outdated),
      '',
      ...explain(outdated),
    ],
    json: { outdated },
    exit: 1,
  };
}

function toRow({ id, locked, available, change, target }: OutdatedArtifact): Line[] {
  // A folder can change an artifact without a new version.
  const same = change === 'changed' && locked === available;
  const mark = change === 'rewritten' || change === 'downgrade' ? ` (${change})` : '';
  return [
    id,
    locked ?? '(not installed)',
    available === undefined
      ? '(removed)'
      : same
        ? `${available} (content changed)`
        : available + mark,
    target,
  ];
}

function contentLines(outdated: readonly OutdatedArtifact[]): Line[] {
  const artifacts = outdated.map(({ id, executable_content: capabilities = [] }) => ({
    id,
    capabilities,
  }));
  const lines = renderContent(artifacts, 'Executable content');
  return lines.length === 0 ? [] : ['', ...lines];
}

function explain(outdated: readonly OutdatedArtifact[]): Line[] {
  const unexpected = outdated.flatMap((artifact) => artifact.unexpected ?? []);
  const refused = unexpected.filter((change) => change.refused);
  const others = outdated.length - refused.length;
  const update = refused.length === 0 ? UPDATE : UPDATE_ONE;
  return [
    ...new Set(unexpected.map(toExplanation)),
    ...(refused.length === 0 ? [] : [`Next: ${howToAccept(refused)}`]),
    ...(others === 0 ? [] : [update]),
  ];
}

const UPDATE =
  'Next: to update all, run `catalog update`; to update one, run `catalog update <id>`.';
const UPDATE_ONE = 'Next: to update any of the others, run `catalog update <id>`.';

function toExplanation({
  refused,
  ...change
}: NonNullable<OutdatedArtifact['unexpected']>): string {
  return `${refused ? 'refused' : 'accepted'} ${describeChange(change)}`;
}
