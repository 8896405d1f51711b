import { isObject, type ResourceType, type ScimObject, type ScimValue } from './attribute.ts';
import { findPath, splitSchema } from './attribute-path.ts';
import { readMembers } from './members.ts';
import { normalizeParts, normalizeValue } from './normalize-value.ts';
import { badRequest, shortenInput } from './scim-error.ts';

export interface SentResource {
  /** Attributes, without read-only ones and members of a group. */
  attributes: ScimObject;
  members: readonly string[];
}

const MAX_CHARACTERS = 256 * 1024;

export function readResource(type: ResourceType, body: ScimValue): SentResource {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  rejectOtherSchema(type, body);
  const attributes: ScimObject = {};
  let members: readonly string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (type.name === 'Group' && name.toLowerCase() === 'members') {
      members = readMembers(value);
    } else {
      readMember(type, attributes, name, value);
    }
  }
  requireWhole(type, attributes);
  return { attributes, members };
}

export function requireWhole(type: ResourceType, attributes: ScimObject): void {
  const name = attributes[type.naming];
  if (typeof name !== 'string' || name.trim() === '') {
    throw badRequest('invalidValue', `"${type.naming}" is missing.`);
  }
  if (JSON.stringify(attributes).length > MAX_CHARACTERS) {
    throw badRequest('invalidValue', `The resource is longer than ${MAX_CHARACTERS} characters.`);
  }
}

function readMember(
  type: ResourceType,
  attributes: ScimObject,
  name: string,
  value: ScimValue,
): void {
  const schema = splitSchema(type, name);
  if (schema?.is_schema === true && schema.extension !== undefined) {
    const known = type.extensions.find(({ id }) => id === schema.extension)?.attributes ?? [];
    if (value === null) return;
    if (!isObject(value))
      throw badRequest('invalidValue', `"${shortenInput(name)}" must be an object.`);
    const parts = normalizeParts(known, value);
    if (Object.keys(parts).length > 0) attributes[schema.extension] = parts;
    return;
  }
  const path = findPath(type, name);
  const isOwn = path !== undefined && path.extension === undefined && path.sub === undefined;
  if (!isOwn || path.attribute.mutability === 'readOnly') return;
  const normal = normalizeValue(path.attribute, value);
  if (normal !== undefined) attributes[path.attribute.name] = normal;
}

function rejectOtherSchema({ schema }: ResourceType, body: ScimObject): void {
  const entry = Object.entries(body).find(([name]) => name.toLowerCase() === 'schemas');
  if (entry === undefined) return;
  const [, schemas] = entry;
  const wanted = schema.id.toLowerCase();
  const names = Array.isArray(schemas) ? schemas : [];
  if (names.some((name) => typeof name === 'string' && name.toLowerCase() === wanted)) return;
  throw badRequest('invalidValue', `"schemas" must include ${schema.id}.`);
}
