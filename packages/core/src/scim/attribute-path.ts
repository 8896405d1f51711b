import {
  COMMON_ATTRIBUTES,
  findAttribute,
  type Attribute,
  type ResourceType,
} from './attribute.ts';

/** A place in a resource: an attribute, of an extension or not, and perhaps a part of it. */
export interface AttributePath {
  /** The schema whose object the attribute is in; undefined for the resource itself. */
  extension: string | undefined;
  attribute: Attribute;
  sub: Attribute | undefined;
}

/**
 * Cuts the schema off the front of a path, such as `urn:...:User:department`. The rest is empty where
 * the path names a whole schema. Undefined for the name of a schema that the resource does not have.
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

/** The attributes of a resource itself, or of one of its extensions. */
export function attributesOf(
  type: ResourceType,
  extension: string | undefined,
): readonly Attribute[] {
  if (extension === undefined) return [...COMMON_ATTRIBUTES, ...type.schema.attributes];
  return type.extensions.find(({ id }) => id === extension)?.attributes ?? [];
}

/** Finds `attribute` or `attribute.sub`, also behind the name of a schema; undefined for none there is. */
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
