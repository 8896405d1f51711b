import type { RegisterLayerBody } from '@catalog/contract/records/layer';
import type { LayerRecord } from '../ports/layers.ts';
import { namesOrNull } from './decide-patch.ts';
import type { Caller } from '../identity/caller.ts';

type ClassMembers = Pick<
  LayerRecord,
  'user_defined' | 'owner' | 'public' | 'organization' | 'groups' | 'users'
>;

export const ADMIN_ONLY_FIELDS = ['owner', 'public', 'organization', 'groups', 'users'] as const;

/**
 * Returns the fields that only administrators may set. `false`, empty values, and the caller as the owner do not count.
 */
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
 * Returns the class of a new layer: of the organization (SPEC-6) if the request sets owner or visibility, otherwise
 * personal. Without authentication, a layer without an owner belongs to the organization.
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
