import type { RegisterLayerBody } from '@catalog/contract/records/layer';
import type { LayerRecord } from '../ports/layers.ts';
import { namesOrNull } from './decide-patch.ts';
import type { Caller } from '../identity/caller.ts';

type ClassMembers = Pick<
  LayerRecord,
  'user_defined' | 'owner' | 'public' | 'organization' | 'groups' | 'users'
>;

/** The members only an administrator may assert. */
export const ADMIN_ONLY_FIELDS = ['owner', 'public', 'organization', 'groups', 'users'] as const;

/**
 * Which of the administrators' members a registration asserts. By value: `false`, an empty list, an
 * empty owner and one's own subject as owner assert nothing.
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
 * Personal or the organization's (SPEC-6): whoever asserts an owner or visibility makes the
 * organization's; whoever asserts none makes their own. Where nobody can be told apart, asserting
 * none makes one for the whole organization, so that it stays governable once somebody can.
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
