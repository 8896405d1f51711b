import type { PlaceContext } from './adapter.ts';

/** The names of an artifact where nothing else has its own: the last segment of its id. */
export function plainNames(id: string): PlaceContext {
  return { name: id.slice(id.lastIndexOf('/') + 1), prefix: '' };
}

/** The names of an artifact under its domain: `ops/deploy/check` is `ops-deploy-check`. */
export function qualifiedNames(id: string): PlaceContext {
  const prefix = id.slice(0, id.lastIndexOf('/') + 1).replaceAll('/', '-');
  return { name: id.replaceAll('/', '-'), prefix };
}
