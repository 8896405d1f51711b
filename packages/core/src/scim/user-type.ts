import { attribute, complex, plural, type ResourceType, type Schema } from './attribute.ts';

const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person or service that signs in.',
  attributes: [
    attribute('userName', 'Sign-in name; matched with the subject or email.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'Components of the name.', [
      attribute('formatted', 'Full name.'),
      attribute('familyName', 'Family name.'),
      attribute('givenName', 'Given name.'),
      attribute('middleName', 'Middle names.'),
      attribute('honorificPrefix', 'Honorific prefix.'),
      attribute('honorificSuffix', 'Honorific suffix.'),
    ]),
    attribute('displayName', 'Display name.'),
    attribute('nickName', 'Nickname.'),
    attribute('profileUrl', "URL of the user's profile page.", {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    attribute('title', 'Job title.'),
    attribute('userType', 'Relationship to the organization.'),
    attribute('preferredLanguage', 'Preferred language.'),
    attribute('locale', 'Locale for numbers and dates.'),
    attribute('timezone', 'Time zone.'),
    attribute('active', '`false` revokes access, even if the user still holds a valid token.', {
      type: 'boolean',
    }),
    plural('emails', 'Email addresses.', attribute('value', 'Email address.'), [
      'work',
      'home',
      'other',
    ]),
    plural('phoneNumbers', 'Phone numbers.', attribute('value', 'Phone number.'), [
      'work',
      'home',
      'mobile',
      'fax',
      'pager',
      'other',
    ]),
    plural(
      'ims',
      'Instant messaging addresses.',
      attribute('value', 'Instant messaging address.'),
      [],
    ),
    plural(
      'photos',
      'Pictures.',
      attribute('value', 'URL of the picture.', {
        type: 'reference',
        referenceTypes: ['external'],
        caseExact: true,
      }),
      ['photo', 'thumbnail'],
    ),
    complex(
      'addresses',
      'Postal addresses.',
      [
        attribute('formatted', 'Formatted address.'),
        attribute('streetAddress', 'Street address.'),
        attribute('locality', 'City.'),
        attribute('region', 'State or region.'),
        attribute('postalCode', 'Postal code.'),
        attribute('country', 'Country.'),
        attribute('type', 'Purpose of the address.', {
          canonicalValues: ['work', 'home', 'other'],
        }),
        attribute('primary', 'Whether this is the primary address; only one can be.', {
          type: 'boolean',
        }),
      ],
      { multiValued: true },
    ),
    plural('entitlements', 'Entitlements of the user.', attribute('value', 'Name.'), []),
    plural('roles', 'Roles of the user in other systems.', attribute('value', 'Name.'), []),
    plural(
      'x509Certificates',
      'Certificates.',
      attribute('value', 'Certificate, encoded as base64.', { type: 'binary', caseExact: true }),
      [],
    ),
  ],
};

const ENTERPRISE_USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Attributes of a user in an organization.',
  attributes: [
    attribute('employeeNumber', 'Employee number.'),
    attribute('costCenter', 'Cost center.'),
    attribute('organization', 'Organization.'),
    attribute('division', 'Division.'),
    attribute('department', 'Department.'),
    complex('manager', 'Manager of the user.', [
      attribute('value', 'User id of the manager.', { caseExact: true }),
      attribute('$ref', 'URL of the manager.', {
        type: 'reference',
        referenceTypes: ['User'],
        caseExact: true,
      }),
      attribute('displayName', 'Name of the manager.', { mutability: 'readOnly' }),
    ]),
  ],
};

export const USER_TYPE: ResourceType = {
  name: 'User',
  description: USER.description,
  endpoint: '/Users',
  schema: USER,
  extensions: [ENTERPRISE_USER],
  naming: 'userName',
};
