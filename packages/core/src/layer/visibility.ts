import type { Caller } from '../identity/caller.ts';

/** Who may see a layer; the axes add up. */
export interface LayerVisibility {
  public: boolean;
  organization: boolean;
  /** Null or empty grants no group. */
  groups: readonly string[] | null;
  /** Subjects or e-mail addresses; null or empty grants nobody. */
  users: readonly string[] | null;
}

/** Whether a layer is in a caller's view, and why; administrators read the reason. */
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

/** A layer that grants nothing is visible to nobody; names are compared exactly. */
export function isLayerVisible(layer: LayerVisibility, caller: Caller): VisibilityVerdict {
  if (caller.kind === 'open') return VISIBLE.open;
  if (layer.public) return VISIBLE.public;
  if (caller.kind !== 'subject') return HIDDEN.anonymous;
  if (layer.organization) return VISIBLE.organization;
  const { subject, email, groups } = caller;
  const isNamed =
    layer.users?.some((user) => user !== '' && (user === subject || user === email)) === true ||
    layer.groups?.some((group) => groups.includes(group)) === true;
  return isNamed ? VISIBLE.named : HIDDEN.other;
}
