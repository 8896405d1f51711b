import { MESSAGE_FIELD } from '../config/resolve-marketplace.ts';
import type { MarketplaceTarget } from '../config/types.ts';
import type { ArtifactMove } from '../sync/artifact-moves.ts';

export function commitMessage(
  { id, commit_message }: Pick<MarketplaceTarget, 'id' | 'commit_message'>,
  moves: readonly ArtifactMove[],
  at: number,
): string {
  const fields: Readonly<Record<string, string>> = {
    ChangedCount: String(moves.length),
    OutputID: id,
    Timestamp: new Date(at).toISOString(),
  };
  const subject =
    commit_message?.replaceAll(MESSAGE_FIELD, (field, name: string) => fields[name] ?? field) ??
    `${id}: ${summarize(moves)}`;
  if (moves.length === 0) return subject;
  const lines = moves.slice(0, LISTED).map(describeMove);
  if (moves.length > LISTED) lines.push(`and ${moves.length - LISTED} more`);
  return `${subject}\n\n${lines.join('\n')}`;
}

/** Maximum number of artifacts in a commit message, which is one command-line argument. */
const LISTED = 200;

function summarize(moves: readonly ArtifactMove[]): string {
  const counts = Map.groupBy(moves, changeOf);
  const parts = (['added', 'changed', 'removed'] as const).flatMap((change) => {
    const number = counts.get(change)?.length ?? 0;
    return number === 0 ? [] : [`${number} ${change}`];
  });
  return parts.length === 0 ? 'rendered the same artifacts again' : parts.join(', ');
}

export function changeOf({ from, to }: ArtifactMove): 'added' | 'changed' | 'removed' {
  if (from === undefined) return 'added';
  return to === undefined ? 'removed' : 'changed';
}

function describeMove(move: ArtifactMove): string {
  const { id, from = '', to = '' } = move;
  const change = changeOf(move);
  if (change === 'added') return `added ${id} ${to}`;
  if (change === 'removed') return `removed ${id} ${from}`;
  return from === to ? `changed ${id} ${to}` : `changed ${id} ${from} -> ${to}`;
}
