import type { LayerVisibility } from './visibility.ts';

/**
 * Returns true if everyone who sees one layer certainly sees the other. Group membership is unknown and does not count.
 */
export function coversVisibility(wider: LayerVisibility, narrower: LayerVisibility): boolean {
  if (wider.public) return true;
  if (narrower.public) return false;
  if (wider.organization) return true;
  if (narrower.organization) return false;
  return isSubset(narrower.groups, wider.groups) && isSubset(narrower.users, wider.users);
}

function isSubset(names: readonly string[] | null, of: readonly string[] | null): boolean {
  return (names ?? []).every((name) => of?.includes(name) === true);
}
