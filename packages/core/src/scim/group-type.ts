import { attribute, complex, type ResourceType, type Schema } from './attribute.ts';

const GROUP: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'Users who can see the same layers.',
  attributes: [
    attribute('displayName', 'Name of the group in the visibility of a layer.', {
      required: true,
      uniqueness: 'server',
    }),
    complex(
      'members',
      'Users in the group.',
      [
        attribute('value', 'User id.', { caseExact: true, mutability: 'immutable' }),
        attribute('$ref', 'URL of the user.', {
          type: 'reference',
          referenceTypes: ['User'],
          caseExact: true,
          mutability: 'immutable',
        }),
        attribute('type', 'Type of the member.', {
          canonicalValues: ['User'],
          mutability: 'immutable',
        }),
      ],
      { multiValued: true },
    ),
  ],
};

export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  description: GROUP.description,
  endpoint: '/Groups',
  schema: GROUP,
  extensions: [],
  naming: 'displayName',
};
