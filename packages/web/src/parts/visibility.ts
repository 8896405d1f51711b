import type { DetailedLayer } from '@catalog/contract/records/layer';

type Visibility = Pick<
  DetailedLayer,
  'public' | 'organization' | 'groups' | 'users' | 'user_defined' | 'owner' | 'matched_groups'
>;

export function visibilityOf(layer: Visibility): string {
  const { groups, users } = layer;
  if (layer.public) return 'everyone';
  if (layer.organization) return 'organization';
  if (layer.user_defined) return `only ${layer.owner}`;
  const parts = [named('group', groups ?? []), named('user', users ?? [])].filter(
    (part) => part !== '',
  );
  return parts.join(', ') || 'nobody';
}

function named(noun: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  if (names.length > 3) return `${names.length} ${noun}s`;
  return `${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

export function whyVisible(
  layer: Visibility,
  subject: string | undefined,
  isOpen: boolean,
): string {
  if (isOpen) return 'This registry does not authenticate callers, so everyone sees every layer.';
  if (layer.public) return 'The layer is public: everyone sees it, also without signing in.';
  if (layer.organization) return 'Every signed-in user of the organization sees this layer.';
  if (layer.user_defined && layer.owner === subject) return 'You own this layer.';
  const users = layer.users ?? [];
  if (subject !== undefined && users.includes(subject)) return 'The layer names you.';
  const groups = layer.matched_groups ?? [];
  if (groups.length > 0) {
    return groups.length === 1
      ? `You are a member of the group ${groups[0]}.`
      : `You are a member of these groups: ${groups.join(', ')}.`;
  }
  return 'Administrators see every layer in this list.';
}
