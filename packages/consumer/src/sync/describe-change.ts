import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LockedStatus, UnexpectedChange } from './find-unexpected-changes.ts';

export function describeChange(change: UnexpectedChange): string {
  const { kind, id, locked, locked_hash, available, available_hash } = change;
  return kind === 'rewritten'
    ? `${id} ${available}: content hash was ${locked_hash}, is now ${available_hash}`
    : `${id}: version was ${locked}, is now ${available}${describeStatus(change)}`;
}

const REASONS: Readonly<Partial<Record<LockedStatus, string>>> = {
  deprecated: 'the registry marks the higher version as deprecated',
  rolled_back: 'the registry rolled back the higher version',
  withdrawn: 'the registry marks the higher version as withdrawn',
  absent: 'the registry no longer lists the higher version',
  unknown: 'the registry did not report whether the higher version was withdrawn',
};

function describeStatus({ locked_status }: UnexpectedChange): string {
  const reason = locked_status === undefined ? undefined : REASONS[locked_status];
  return reason === undefined ? '' : ` (${reason})`;
}

export function howToAccept(refused: readonly UnexpectedChange[]): string {
  const advice_prefix = refused.some(({ kind }) => kind === 'rewritten')
    ? 'Ask the owner of the registry why published content changed.'
    : 'Ask the owner of the registry whether the lower version is intended.';
  const flags = acceptFlags(refused).join(' ');
  return `${advice_prefix} To accept the change, pass \`${flags}\` to \`catalog sync\` or \`catalog update\`.`;
}

export function acceptFlags(refused: readonly UnexpectedChange[]): string[] {
  const rewritten = new Set(refused.filter(({ kind }) => kind === 'rewritten').map(({ id }) => id));
  const flags = [...rewritten].map((id) => `--accept-changed ${id}`);
  const isLower = refused.some(({ kind }) => kind === 'downgrade');
  return isLower ? [...flags, '--allow-downgrade'] : flags;
}

interface Refusal {
  directory: string;
  registry: string;
  refused: readonly UnexpectedChange[];
  suggested_action: string;
}

export function refusalError({
  directory,
  registry,
  refused,
  suggested_action,
}: Refusal): CatalogError {
  const isRewritten = refused.some(({ kind }) => kind === 'rewritten');
  const what = isRewritten
    ? `The registry ${registry} changed content under a locked version`
    : `The registry ${registry} offers a lower version than the locked one`;
  const lines = new Set(refused.map((change) => `  ${describeChange(change)}`));
  return new CatalogError(
    isRewritten ? 'materialize.content_changed' : 'materialize.downgrade_refused',
    `${what}; nothing was written.\n${[...lines].join('\n')}`,
    { details: { directory, registry, changes: [...refused] }, suggested_action },
  );
}
