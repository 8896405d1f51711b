import { GIT_PROVIDER_NAMES, type Layer } from '@catalog/contract/records/layer';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';

export function renderLayers(layers: readonly Layer[]): Line[] {
  const header = ['order', 'layer', 'source', 'visible to', 'last ingest'].map((title): Line => [
    styled('bold', title),
  ]);
  return alignColumns([header, ...layers.map(toRow)]);
}

function toRow(layer: Layer): Line[] {
  return [
    String(layer.order),
    layer.id,
    describeSource(layer),
    describeVisibility(layer),
    formatTime(layer.last_ingested_at),
  ];
}

/**
 * Formats a source such as `https://git.example.com/team.git main` or `/srv/base`. Only administrators get host paths.
 */
export function describeSource({ source_type, repo, ref, root, local_path }: Layer): string {
  const place =
    source_type === 'git'
      ? [repo || 'a repository on the host', ref].filter(Boolean).join(' ')
      : local_path || 'a folder on the host';
  return root === '' ? place : `${place} (${root})`;
}

/** Returns the name of the git host; undefined if there is none (SPEC-80). */
export function gitHostName({ git_provider }: Layer): string | undefined {
  if (git_provider === '') return undefined;
  const known = Object.entries(GIT_PROVIDER_NAMES).find(([, stored]) => stored === git_provider);
  return known?.[0] ?? git_provider;
}

function describeVisibility(layer: Layer): string {
  const { groups, users } = layer;
  const parts = [
    ...(layer.public ? ['everyone'] : []),
    ...(layer.organization ? ['organization'] : []),
    ...(groups === null ? [] : [`groups ${groups.join(', ')}`]),
    ...(users === null ? [] : [`users ${users.join(', ')}`]),
  ];
  return parts.length === 0 ? 'no one' : parts.join('; ');
}
