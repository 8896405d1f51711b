import type { LayerVisibility } from './visibility.ts';

/**
 * Returns true if everyone who sees `narrower` sees `wider`, as far as their grants tell: a user who is
 * named by one layer and sees the other through a group is not known here.
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
