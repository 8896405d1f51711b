import {
  findAttribute,
  isObject,
  type Attribute,
  type ScimObject,
  type ScimValue,
} from './attribute.ts';
import { badRequest, type ScimError } from './scim-error.ts';

/** Longest name a resource is looked up by; an index holds it. */
const LONGEST_NAME = 512;
const NAMES: ReadonlySet<string> = new Set(['userName', 'displayName', 'externalId']);

/**
 * A value as its attribute keeps it: names in the case of the schema, what the schema does not know left
 * out, and what directories write in other ways than the standard made what they mean. Undefined is a
 * value that is none: null, an empty list.
 */
export function normalizeValue(attribute: Attribute, value: ScimValue): ScimValue | undefined {
  if (value === null) return undefined;
  if (!attribute.multiValued) return normalizeOne(attribute, unwrap(attribute, value));
  const values = (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const normal = one === null ? undefined : normalizeOne(attribute, one);
    return normal === undefined ? [] : [normal];
  });
  refuseTwoPrimaries(attribute, values);
  return values.length === 0 ? undefined : values;
}

/** The members of an object that are attributes somebody may set. */
export function normalizeParts(attributes: readonly Attribute[], value: ScimObject): ScimObject {
  const parts: ScimObject = {};
  for (const [name, given] of Object.entries(value)) {
    const attribute = findAttribute(attributes, name);
    if (attribute === undefined || attribute.mutability === 'readOnly') continue;
    const normal = normalizeValue(attribute, given);
    if (normal !== undefined) parts[attribute.name] = normal;
  }
  return parts;
}

/** Entra has sent a single value as a list of one object with a `value`. */
function unwrap({ type }: Attribute, value: ScimValue): ScimValue {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [only = null] = value;
  if (type === 'complex') return only;
  return isObject(only) ? (only['value'] ?? null) : only;
}

function normalizeOne(attribute: Attribute, value: ScimValue): ScimValue | undefined {
  if (value === null) return undefined;
  if (attribute.type === 'complex') return normalizeComplex(attribute, value);
  if (attribute.type === 'boolean') return normalizeBoolean(attribute, value);
  if (typeof value !== 'string') throw invalid(attribute, 'must be a string');
  if (value.includes('\0') || !value.isWellFormed()) {
    throw invalid(attribute, 'contains a character that is not allowed');
  }
  if (attribute.type === 'dateTime' && Number.isNaN(Date.parse(value))) {
    throw invalid(attribute, 'must be a timestamp such as 2026-01-02T03:04:05Z');
  }
  if (NAMES.has(attribute.name) && value.length > LONGEST_NAME) {
    throw invalid(attribute, `is longer than ${LONGEST_NAME} characters`);
  }
  return value;
}

/** Text where an object is expected is its `value`: Entra names a manager so. */
function normalizeComplex(attribute: Attribute, value: ScimValue): ScimObject | undefined {
  const { subAttributes = [] } = attribute;
  const hasValue = subAttributes.some(({ name }) => name === 'value');
  const object = typeof value === 'string' && hasValue ? { value } : value;
  if (!isObject(object)) throw invalid(attribute, 'must be an object');
  const parts = normalizeParts(subAttributes, object);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Entra writes "True" and "False"; any other text says nothing, and must not pass for true. */
function normalizeBoolean(attribute: Attribute, value: ScimValue): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw invalid(attribute, 'must be true or false');
}

function refuseTwoPrimaries(attribute: Attribute, values: readonly ScimValue[]): void {
  const primaries = values.filter((one) => isObject(one) && one['primary'] === true);
  if (primaries.length > 1) throw invalid(attribute, 'has more than one primary value');
}

function invalid({ name }: Attribute, what: string): ScimError {
  return badRequest('invalidValue', `"${name}" ${what}.`);
}
