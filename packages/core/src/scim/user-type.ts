import { attribute, complex, plural, type ResourceType, type Schema } from './attribute.ts';

const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person, or whatever else signs in.',
  attributes: [
    attribute('userName', 'What the user signs in as; matched with the subject or the e-mail.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'The parts of the name.', [
      attribute('formatted', 'The whole name.'),
      attribute('familyName', 'The family name.'),
      attribute('givenName', 'The given name.'),
      attribute('middleName', 'The middle names.'),
      attribute('honorificPrefix', 'What stands before the name.'),
      attribute('honorificSuffix', 'What stands after the name.'),
    ]),
    attribute('displayName', 'The name as people read it.'),
    attribute('nickName', 'What the user is called.'),
    attribute('profileUrl', 'A page about the user.', {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    attribute('title', 'The title of the work.'),
    attribute('userType', 'How the user belongs to the organization.'),
    attribute('preferredLanguage', 'The language to speak to the user in.'),
    attribute('locale', 'How to write numbers and dates.'),
    attribute('timezone', 'The time zone.'),
    attribute('active', 'False makes the user nobody, whatever token it still holds.', {
      type: 'boolean',
    }),
    plural('emails', 'E-mail addresses.', attribute('value', 'The address.'), [
      'work',
      'home',
      'other',
    ]),
    plural('phoneNumbers', 'Telephone numbers.', attribute('value', 'The number.'), [
      'work',
      'home',
      'mobile',
      'fax',
      'pager',
      'other',
    ]),
    plural('ims', 'Addresses for messages.', attribute('value', 'The address.'), []),
    plural(
      'photos',
      'Pictures.',
      attribute('value', 'The address of the picture.', {
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
        attribute('formatted', 'The whole address.'),
        attribute('streetAddress', 'Street and number.'),
        attribute('locality', 'The town.'),
        attribute('region', 'The region.'),
        attribute('postalCode', 'The postal code.'),
        attribute('country', 'The country.'),
        attribute('type', 'What the address is for.', {
          canonicalValues: ['work', 'home', 'other'],
        }),
        attribute('primary', 'Whether this is the main address; one at most is.', {
          type: 'boolean',
        }),
      ],
      { multiValued: true },
    ),
    plural('entitlements', 'What the user is entitled to.', attribute('value', 'The name.'), []),
    plural('roles', 'The roles of the user elsewhere.', attribute('value', 'The name.'), []),
    plural(
      'x509Certificates',
      'Certificates.',
      attribute('value', 'The certificate, in base64.', { type: 'binary', caseExact: true }),
      [],
    ),
  ],
};

const ENTERPRISE_USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'What an organization knows of somebody who works there.',
  attributes: [
    attribute('employeeNumber', 'The number of the employee.'),
    attribute('costCenter', 'The cost center.'),
    attribute('organization', 'The organization.'),
    attribute('division', 'The division.'),
    attribute('department', 'The department.'),
    complex('manager', 'Who the user reports to.', [
      attribute('value', 'The id of the manager.', { caseExact: true }),
      attribute('$ref', 'The address of the manager.', {
        type: 'reference',
        referenceTypes: ['User'],
        caseExact: true,
      }),
      attribute('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
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
