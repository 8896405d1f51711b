export type ScimValue = string | number | boolean | null | ScimObject | ScimValue[];
export interface ScimObject {
  [name: string]: ScimValue;
}

/** Attribute of a schema, with the names of RFC 7643, section 7. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'reference' | 'dateTime' | 'binary' | 'complex';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable';
  returned: 'always' | 'default';
  uniqueness: 'none' | 'server';
  referenceTypes?: readonly string[];
  canonicalValues?: readonly string[];
  subAttributes?: readonly Attribute[];
}

export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

export interface ResourceType {
  name: 'User' | 'Group';
  description: string;
  /** Path below the URL of SCIM. */
  endpoint: '/Users' | '/Groups';
  schema: Schema;
  extensions: readonly Schema[];
  naming: 'userName' | 'displayName';
}

type More = Partial<Omit<Attribute, 'name' | 'description'>>;

const PLAIN = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

export function attribute(name: string, description: string, more: More = {}): Attribute {
  return { name, ...PLAIN, description, ...more };
}

export function complex(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  more: More = {},
): Attribute {
  return attribute(name, description, { type: 'complex', subAttributes, ...more });
}

/** Creates an attribute with a list of typed values, of which one may be primary. */
export function plural(
  name: string,
  description: string,
  value: Attribute,
  kinds: readonly string[],
): Attribute {
  const subAttributes = [
    value,
    attribute('display', 'Human-readable value.'),
    attribute(
      'type',
      'Purpose of the value.',
      kinds.length === 0 ? {} : { canonicalValues: kinds },
    ),
    attribute('primary', 'Whether this is the primary value; only one can be.', {
      type: 'boolean',
    }),
  ];
  return complex(name, description, subAttributes, { multiValued: true });
}

/** Attributes of all resources (RFC 7643, section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'Schemas of the resource.', {
    type: 'reference',
    referenceTypes: ['uri'],
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  attribute('id', 'Id assigned by the registry.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', 'Id assigned by the directory.', { caseExact: true }),
  complex(
    'meta',
    'When the resource was created and last modified.',
    [
      attribute('resourceType', 'Resource type.', {
        caseExact: true,
        mutability: 'readOnly',
      }),
      attribute('created', 'Time of creation.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'Time of the last change.', {
        type: 'dateTime',
        mutability: 'readOnly',
      }),
      attribute('location', 'URL of the resource.', {
        type: 'reference',
        referenceTypes: ['uri'],
        caseExact: true,
        mutability: 'readOnly',
      }),
      attribute('version', 'Entity tag.', { caseExact: true, mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
];

export function findAttribute(
  attributes: readonly Attribute[],
  name: string,
): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((one) => one.name.toLowerCase() === wanted);
}

export function isObject(value: unknown): value is ScimObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
