import {
  findAttribute,
  isObject,
  type Attribute,
  type ScimObject,
  type ScimValue,
} from './attribute.ts';
import { badRequest, type ScimError } from './scim-error.ts';

const MAX_NAME_LENGTH = 512;
const NAMES: ReadonlySet<string> = new Set(['userName', 'displayName', 'externalId']);

/**
 * Normalizes a value: removes unknown members, corrects known deviations, and uses the case of the schema. Returns
 * undefined for null and an empty list.
 */
export function normalizeValue(attribute: Attribute, value: ScimValue): ScimValue | undefined {
  if (value === null) return undefined;
  if (!attribute.multiValued) return normalizeOne(attribute, unwrap(attribute, value));
  const values = (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const normal = one === null ? undefined : normalizeOne(attribute, one);
    return normal === undefined ? [] : [normal];
  });
  rejectMultiplePrimaries(attribute, values);
  return values.length === 0 ? undefined : values;
}

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

/** Returns the single value of an attribute. Entra has sent such values as a list of an object with `value`. */
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
  if (NAMES.has(attribute.name) && value.length > MAX_NAME_LENGTH) {
    throw invalid(attribute, `is longer than ${MAX_NAME_LENGTH} characters`);
  }
  return value;
}

/** Normalizes a complex value. Entra sends a manager as a string. */
function normalizeComplex(attribute: Attribute, value: ScimValue): ScimObject | undefined {
  const { subAttributes = [] } = attribute;
  const hasValue = subAttributes.some(({ name }) => name === 'value');
  const object = typeof value === 'string' && hasValue ? { value } : value;
  if (!isObject(object)) throw invalid(attribute, 'must be an object');
  const parts = normalizeParts(subAttributes, object);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Parses a boolean. Entra sends "True" and "False"; other strings are errors. */
function normalizeBoolean(attribute: Attribute, value: ScimValue): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw invalid(attribute, 'must be true or false');
}

function rejectMultiplePrimaries(attribute: Attribute, values: readonly ScimValue[]): void {
  const primaries = values.filter((one) => isObject(one) && one['primary'] === true);
  if (primaries.length > 1) throw invalid(attribute, 'has more than one primary value');
}

function invalid({ name }: Attribute, what: string): ScimError {
  return badRequest('invalidValue', `"${name}" ${what}.`);
}
