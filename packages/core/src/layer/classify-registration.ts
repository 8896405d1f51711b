import type { RegisterLayerBody } from '@catalog/contract/records/layer';
import type { LayerRecord } from '../ports/layers.ts';
import { namesOrNull } from './decide-patch.ts';
import type { Caller } from '../identity/caller.ts';

type ClassMembers = Pick<
  LayerRecord,
  'user_defined' | 'owner' | 'public' | 'organization' | 'groups' | 'users'
>;

export const ADMIN_ONLY_FIELDS = ['owner', 'public', 'organization', 'groups', 'users'] as const;

/** Ignores `false`, an empty list or owner, and the caller's own subject as owner. */
export function assertedFields(
  body: RegisterLayerBody,
  caller: Caller,
): (typeof ADMIN_ONLY_FIELDS)[number][] {
  const self = caller.kind === 'subject' ? caller.subject : '';
  return ADMIN_ONLY_FIELDS.filter((field) => {
    const value = body[field];
    if (Array.isArray(value)) return value.length > 0;
    if (field === 'owner') return value !== undefined && value !== '' && value !== self;
    return value === true;
  });
}

/**
 * Returns an organization layer (SPEC-6) if the registration sets an owner or visibility, else a
 * personal one. Without authentication, the latter belongs to the organization and stays manageable if
 * authentication is added later.
 */
export function classifyRegistration(body: RegisterLayerBody, caller: Caller): ClassMembers {
  const asserted = assertedFields(body, caller);
  if (asserted.length === 0 && caller.kind === 'subject') {
    return {
      user_defined: true,
      owner: caller.subject,
      public: false,
      organization: false,
      groups: null,
      users: [caller.subject],
    };
  }
  return {
    user_defined: false,
    owner: body.owner ?? '',
    public: body.public === true,
    organization: asserted.length === 0 || body.organization === true,
    groups: namesOrNull(body.groups),
    users: namesOrNull(body.users),
  };
}
