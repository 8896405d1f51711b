import type { PlaceContext } from './adapter.ts';

export function plainNames(id: string): PlaceContext {
  return { name: id.slice(id.lastIndexOf('/') + 1), prefix: '' };
}

/** Returns qualified names: `ops/deploy/check` becomes `ops-deploy-check`. */
export function qualifiedNames(id: string): PlaceContext {
  const prefix = id.slice(0, id.lastIndexOf('/') + 1).replaceAll('/', '-');
  return { name: id.replaceAll('/', '-'), prefix };
}
