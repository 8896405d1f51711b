import type { LayerSnapshot } from '@catalog/core/layer/types';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { parentPath } from '@catalog/core/text/slash-path';

/** File names that reports use for a package at the root of a layer, which has no id. */
const ROOT_MANIFESTS = ['ARTIFACT.md', 'SKILL.md'];

export function keysToRead(retry: readonly string[]): Set<string> {
  const keys = new Set(retry);
  if (ROOT_MANIFESTS.some((name) => keys.has(name))) keys.add('');
  return keys;
}

export function findRemoved(
  keys: ReadonlySet<string>,
  { packages, domains, refused }: LayerSnapshot,
): SourceReading['removed'] {
  const found = new Set<string>();
  for (const { id, manifest } of packages) {
    found.add(id);
    if (id === '') found.add(manifest === undefined ? 'SKILL.md' : 'ARTIFACT.md');
  }
  for (const { path } of domains) found.add(path === '' ? 'DOMAIN.md' : `${path}/DOMAIN.md`);
  for (const { path, artifact_id } of refused) found.add(artifact_id ?? path);
  const removed = { artifacts: new Set<string>(), domains: new Set<string>() };
  for (const key of keys) {
    if (found.has(key)) continue;
    removed.artifacts.add(key);
    if (key === '')
      for (const name of ROOT_MANIFESTS) if (!found.has(name)) removed.artifacts.add(name);
    if (key.endsWith('/DOMAIN.md')) removed.domains.add(parentPath(key));
  }
  return { artifacts: [...removed.artifacts], domains: [...removed.domains] };
}
