import type { PurgeResult } from '@catalog/contract/records/purge';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { count, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminPurgeDefinition } from './purge-definition.ts';

type Input = CommandInput<typeof adminPurgeDefinition>;

export async function run(
  { flags, arguments: { artifact } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { reason, layer, yes } = flags;
  if (reason === undefined || reason.trim() === '') {
    throw usageError('--reason is missing.', "Use `--reason 'Contains an API key.'`.", {
      command: 'admin purge',
      argument: '--reason',
    });
  }
  const at = artifact.indexOf('@');
  const [id, version] =
    at === -1 ? [artifact, undefined] : [artifact.slice(0, at), artifact.slice(at + 1)];
  const result = await loadRegistryServer(session, flags).purge(
    {
      id,
      ...(version === undefined ? {} : { version }),
      ...(layer === undefined ? {} : { layer }),
      reason,
      ...(yes ? {} : { dry_run: true }),
    },
    session.signal,
  );
  return { lines: renderPurge(result), json: result };
}

function renderPurge(result: PurgeResult): Line[] {
  const { dry_run, purged, children, now_served, shared_files, objects_removed } = result;
  const done = dry_run ? 'Would purge' : 'Purged';
  const lines: Line[] = [
    `${done} ${count(purged.length, 'version')}`,
    ...purged.map((one) => `  ${nameOf(one)}`),
  ];
  if (children.length > 0) {
    lines.push('', `${done} ${count(children.length, 'version')} that extend them`);
    lines.push(...children.map((one) => `  ${nameOf(one)}, extends ${one.parent}`));
  }
  if (now_served.length > 0) {
    lines.push('', dry_run ? 'Would serve instead' : 'Now served instead');
    lines.push(...now_served.map((one) => `  ${nameOf(one)}`));
  }
  if (shared_files.length > 0) {
    lines.push('', 'Other versions hold a file of the purged ones, and keep it');
    lines.push(...shared_files.map((one) => `  ${nameOf(one)}  ${one.content_hash}`));
  }
  if (dry_run) return [...lines, '', 'Next: to delete the content, run the command with --yes.'];
  return [
    ...lines,
    '',
    `Removed ${count(objects_removed, 'file')} from the object store`,
    'Next: remove the content from the source, and revoke what leaked. Backups and clients keep their copies.',
  ];
}

function nameOf({ layer, id, version }: { layer: string; id: string; version: string }): string {
  return `${id}@${version} in ${layer}`;
}
