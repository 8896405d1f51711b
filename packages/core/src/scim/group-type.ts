import { attribute, complex, type ResourceType, type Schema } from './attribute.ts';

const GROUP: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'Users who may see the same layers.',
  attributes: [
    attribute('displayName', 'What the visibility of a layer calls the group.', {
      required: true,
      uniqueness: 'server',
    }),
    complex(
      'members',
      'The users in the group.',
      [
        attribute('value', 'The id of the user.', { caseExact: true, mutability: 'immutable' }),
        attribute('$ref', 'The address of the user.', {
          type: 'reference',
          referenceTypes: ['User'],
          caseExact: true,
          mutability: 'immutable',
        }),
        attribute('type', 'The kind of member.', {
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
