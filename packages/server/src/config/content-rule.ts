import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import { CAPABILITY_KINDS } from '@catalog/core/capabilities/capability';
import {
  listOf,
  member,
  oneOf,
  record,
  text,
  type Check,
} from '@catalog/core/manifest/field-checks';

export const contentRule: Check<AnnouncedContentRule> = record<AnnouncedContentRule>({
  create: () => ({ policy: 'deny' }),
  required: ['policy'],
  members: [
    member('policy', oneOf(['ask', 'deny'])),
    member('layer', text()),
    member('kinds', listOf(oneOf(Object.keys(CAPABILITY_KINDS)))),
  ],
  strict: true,
});
