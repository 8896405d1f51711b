import type { Caller, Subject } from '../identity/caller.ts';

/** Visibility of a layer. Each field grants access independently. */
export interface LayerVisibility {
  public: boolean;
  organization: boolean;
  /** Groups with access; null or empty for none. */
  groups: readonly string[] | null;
  /** Users with access, by subject or verified e-mail address; null or empty for none. */
  users: readonly string[] | null;
}

export interface VisibilityVerdict {
  visible: boolean;
  reason: string;
}

const VISIBLE = {
  open: { visible: true, reason: 'registry authenticates no caller' },
  public: { visible: true, reason: 'layer.public=true' },
  organization: {
    visible: true,
    reason: 'layer.organization=true and identity is authenticated',
  },
  named: { visible: true, reason: 'user matches layer.users or layer.groups' },
} as const satisfies Record<string, VisibilityVerdict>;

const HIDDEN = {
  anonymous: { visible: false, reason: 'caller is anonymous; layer requires authentication' },
  other: { visible: false, reason: 'user is not in layer.users or layer.groups' },
} as const satisfies Record<string, VisibilityVerdict>;

/**
 * Returns true if a caller sees a layer. Without any grant, only callers of a registry without authentication do. Names
 * are compared exactly.
 */
export function isLayerVisible(layer: LayerVisibility, caller: Caller): VisibilityVerdict {
  if (caller.kind === 'open') return VISIBLE.open;
  if (layer.public) return VISIBLE.public;
  if (caller.kind !== 'subject') return HIDDEN.anonymous;
  if (layer.organization) return VISIBLE.organization;
  const isNamed =
    layer.users?.some((user) => matchUserEntry(user, caller) !== undefined) === true ||
    layer.groups?.some((group) => caller.groups.includes(group)) === true;
  return isNamed ? VISIBLE.named : HIDDEN.other;
}

/**
 * Returns how an entry of `users` matches a user: by subject, or by a verified email address
 * (SPEC-78).
 */
export function matchUserEntry(
  entry: string,
  { subject, email, email_verified }: NamedUser,
): 'subject' | 'email' | undefined {
  if (entry === '') return undefined;
  if (entry === subject) return 'subject';
  return email_verified === true && isEmailEntry(entry) && entry === email ? 'email' : undefined;
}

export type NamedUser = Pick<Subject, 'subject' | 'email' | 'email_verified'>;

/** Returns true if an entry of `users` may be an e-mail address. It may also be a subject. */
export function isEmailEntry(entry: string): boolean {
  return entry.includes('@');
}
