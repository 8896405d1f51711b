import {
  COMMON_ATTRIBUTES,
  findAttribute,
  type Attribute,
  type ResourceType,
} from './attribute.ts';

export interface AttributePath {
  /** Extension schema of the attribute; undefined for the resource itself. */
  extension: string | undefined;
  attribute: Attribute;
  sub: Attribute | undefined;
}

/**
 * Splits a path such as `urn:...:User:department` into schema and attribute, which is empty for a schema alone. Returns
 * undefined for an unknown schema.
 */
export function splitSchema(
  type: ResourceType,
  path: string,
): { extension: string | undefined; rest: string; is_schema: boolean } | undefined {
  const lower = path.toLowerCase();
  for (const { id } of [type.schema, ...type.extensions]) {
    const isNamed = lower === id.toLowerCase() || lower.startsWith(`${id.toLowerCase()}:`);
    if (!isNamed) continue;
    const extension = id === type.schema.id ? undefined : id;
    const rest = path.slice(id.length + 1);
    return { extension, rest, is_schema: rest === '' };
  }
  if (lower.startsWith('urn:')) return undefined;
  return { extension: undefined, rest: path, is_schema: false };
}

export function attributesOf(
  type: ResourceType,
  extension: string | undefined,
): readonly Attribute[] {
  if (extension === undefined) return [...COMMON_ATTRIBUTES, ...type.schema.attributes];
  return type.extensions.find(({ id }) => id === extension)?.attributes ?? [];
}

/** Parses `attribute` or `attribute.sub`, optionally with a schema. */
export function findPath(type: ResourceType, text: string): AttributePath | undefined {
  const split = splitSchema(type, text);
  if (split === undefined) return undefined;
  const { extension, rest } = split;
  const [name = '', subName, ...deeper] = rest.split('.');
  const attribute = findAttribute(attributesOf(type, extension), name);
  if (attribute === undefined || deeper.length > 0) return undefined;
  if (subName === undefined) return { extension, attribute, sub: undefined };
  const sub = findAttribute(attribute.subAttributes ?? [], subName);
  return sub && { extension, attribute, sub };
}
