import type { Caller } from '../identity/caller.ts';
import {
  matchUserEntry,
  isLayerVisible,
  type LayerVisibility,
  type VisibilityVerdict,
} from './visibility.ts';

export interface VisibilityUser {
  subject: string;
  email: string;
  /** False if the directory has deactivated or deleted the user, who then counts as anonymous (SPEC-58). */
  is_active: boolean;
  given_groups: readonly string[];
  directory_groups: readonly string[];
}

export interface ExplainableLayer extends LayerVisibility {
  user_defined: boolean;
  owner: string;
}

/** Explains whether a user sees a layer, by the rule of `isLayerVisible`. */
export function explainVisibility(
  layer: ExplainableLayer,
  person: VisibilityUser,
): VisibilityVerdict {
  const verdict = isLayerVisible(layer, toCaller(person));
  if (layer.public) return verdict;
  if (!person.is_active) {
    return {
      ...verdict,
      reason: 'user is deactivated in the directory; layer requires authentication',
    };
  }
  if (layer.organization) return verdict;
  const reason = verdict.visible ? whyVisible(layer, person) : whyHidden(layer);
  return { ...verdict, reason };
}

function toCaller({
  subject,
  email,
  is_active,
  given_groups,
  directory_groups,
}: VisibilityUser): Caller {
  if (!is_active) return { kind: 'anonymous' };
  const groups = [...given_groups, ...directory_groups];
  return { kind: 'subject', subject, email, email_verified: true, groups };
}

function whyVisible(layer: ExplainableLayer, person: VisibilityUser): string {
  const { subject, email, given_groups, directory_groups } = person;
  const groups = [...new Set(layer.groups)].flatMap((group) => {
    const from = [
      ...(given_groups.includes(group) ? ['given'] : []),
      ...(directory_groups.includes(group) ? ['directory'] : []),
    ];
    return from.length === 0 ? [] : [`${group} (${from.join(' and ')})`];
  });
  const named = { subject, email, email_verified: true };
  const ways = new Set(layer.users?.map((entry) => matchUserEntry(entry, named)));
  return [
    ...(layer.user_defined && layer.owner === subject ? ['user owns the layer'] : []),
    ...(ways.has('subject') ? ['user is in layer.users'] : []),
    ...(ways.has('email') ? [`user is in layer.users by ${email}`] : []),
    ...(groups.length > 0 ? [`user is in layer.groups: ${groups.join(', ')}`] : []),
  ].join('; ');
}

function whyHidden({ groups, users }: LayerVisibility): string {
  const isGranted = (groups ?? []).length > 0 || (users ?? []).length > 0;
  return isGranted
    ? 'user is not in layer.users or layer.groups'
    : 'layer grants no access: neither public nor organization, empty groups and users';
}
