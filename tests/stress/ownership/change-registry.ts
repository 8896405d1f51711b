import { nameOf, NAMES, TEAMS, type Registry, type Served } from './artifacts.ts';
import type { Step } from './history.ts';
import type { Model } from './model.ts';

export function toVersion(version: number): string {
  return `1.0.${version}`;
}

export function changeRegistry(
  { registry }: Model,
  { change, pick }: Extract<Step, { kind: 'registry' }>,
  served: boolean,
): Registry {
  const next = new Map(registry);
  const ids = [...registry.keys()];
  const id = ids[Math.floor(pick * ids.length)];
  const artifact = id === undefined ? undefined : registry.get(id);
  const missing = TEAMS.flatMap((team) => NAMES.map((name) => `${team}/${name}`)).filter(
    (one) => !registry.has(one),
  );
  if (change === 'add' || change === 'add-many') {
    const from = Math.floor(pick * missing.length);
    for (const one of missing.slice(from, from + (change === 'add' ? 1 : 9))) {
      next.set(one, { edition: 1, version: 1, broken: false });
    }
    return next;
  }
  if (change === 'drop-all') return new Map();
  if (change === 'drop-most') {
    for (const one of ids.slice(0, Math.ceil(ids.length * (0.55 + pick * 0.45)))) next.delete(one);
    return next;
  }
  if (id === undefined || artifact === undefined) return next;
  if (change === 'drop') next.delete(id);
  else if (change === 'rename') {
    const other = `${id.startsWith('ops/') ? 'dev' : 'ops'}/${nameOf(id)}`;
    next.delete(id);
    next.set(other, artifact);
  } else {
    const edited = edit(artifact, change, served);
    if (edited !== undefined) next.set(id, edited);
  }
  return next;
}

function edit(
  artifact: Served,
  change: 'change' | 'break' | 'repair' | 'rewrite' | 'downgrade',
  served: boolean,
): Served | undefined {
  const { edition, version } = artifact;
  switch (change) {
    case 'change':
      return { edition: edition + 1, version: version + 1, broken: false };
    case 'break':
      // A server does not ingest an artifact that does not parse.
      return served ? undefined : { ...artifact, broken: true };
    case 'repair':
      return { ...artifact, broken: false };
    case 'rewrite':
      return { edition: edition + 1, version, broken: false };
    case 'downgrade':
    default:
      return { edition: edition + 1, version: Math.max(0, version - 1), broken: false };
  }
}
