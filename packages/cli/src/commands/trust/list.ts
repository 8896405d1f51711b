import type { Approval } from '@catalog/consumer/trust/approvals-file';
import { approvalsFile } from '@catalog/consumer/trust/approvals-file';
import {
  listApprovals,
  listChosenRegistries,
  type ChosenRegistry,
} from '@catalog/consumer/trust/list-approvals';
import { listTrusted, type TrustedFile } from '@catalog/consumer/trust/list-trusted';
import { trustFile } from '@catalog/consumer/trust/trust-file';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import type { trustListDefinition } from './definition.ts';

export function run(
  _input: CommandInput<typeof trustListDefinition>,
  session: Session,
): CommandResult {
  const files = listTrusted(trustFile(session.home));
  const approvals = listApprovals(approvalsFile(session.home));
  const workspaces = listChosenRegistries(approvalsFile(session.home));
  const tables = [
    ...(files.length === 0 ? [] : [fileTable(files, session)]),
    ...(workspaces.length === 0 ? [] : [workspaceTable(workspaces, session)]),
    ...(approvals.length === 0 ? [] : [approvalTable(approvals, session)]),
  ];
  const lines = tables.flatMap((table, position) => (position === 0 ? table : ['', ...table]));
  return {
    lines: lines.length > 0 ? lines : ['You have not trusted any file or approved any artifact.'],
    json: { files, workspaces, approvals },
  };
}

function fileTable(files: readonly TrustedFile[], session: Session): Line[] {
  const rows = files.map(({ file, state }) => [shortPath(file, session), describeState(state)]);
  return alignColumns([header('file', 'state'), ...rows]);
}

function approvalTable(approvals: readonly Approval[], session: Session): Line[] {
  const rows = approvals.map(({ registry, id, keys }) => [
    id,
    count(keys.length, 'capability', 'capabilities'),
    shortPath(registry, session),
  ]);
  return alignColumns([header('artifact', 'approved', 'registry'), ...rows]);
}

/** Renders workspaces whose registry the user named, which needs no approval. */
function workspaceTable(workspaces: readonly ChosenRegistry[], session: Session): Line[] {
  const rows = workspaces.map(({ workspace, registry }) => [
    shortPath(workspace, session),
    shortPath(registry, session),
  ]);
  return alignColumns([header('workspace', 'chosen registry'), ...rows]);
}

function header(...titles: string[]): Line[] {
  return titles.map((title): Line => [styled('bold', title)]);
}

export function describeState(state: TrustedFile['state']): string {
  return {
    unchanged: 'unchanged',
    changed: 'changed; must be trusted again',
    missing: 'missing',
    entry: 'one entry of this file',
  }[state];
}
