import { findAttribute, type Attribute, type ResourceType } from './attribute.ts';
import { attributesOf, splitSchema } from './attribute-path.ts';
import type { Filter } from './filter.ts';
import { parseValueFilter } from './parse-filter.ts';
import { badRequest, shortenInput } from './scim-error.ts';

export type PatchTarget =
  | { kind: 'extension'; extension: string }
  | {
      kind: 'attribute';
      extension: string | undefined;
      attribute: Attribute;
      /** Selects values of a list; undefined for all. */
      filter: Filter | undefined;
      sub: Attribute | undefined;
    };

/** Path of an operation: `name`, `name.part`, `name[filter]` or `name[filter].part`. */
const SHAPE = /^(?<name>[A-Za-z$][\w$-]*)(?:\[(?<filter>.*)\])?(?:\.(?<part>[A-Za-z$][\w$-]*))?$/s;

export function findTarget(type: ResourceType, path: string): PatchTarget | undefined {
  const schema = splitSchema(type, path);
  if (schema === undefined) return undefined;
  const { extension, rest, is_schema } = schema;
  if (is_schema) return extension === undefined ? undefined : { kind: 'extension', extension };
  const { name = '', filter, part } = SHAPE.exec(rest)?.groups ?? {};
  const attribute = findAttribute(attributesOf(type, extension), name);
  if (attribute === undefined) return undefined;
  const sub = part === undefined ? undefined : findAttribute(attribute.subAttributes ?? [], part);
  if (part !== undefined && sub === undefined) return undefined;
  if (filter === undefined) {
    return { kind: 'attribute', extension, attribute, filter: undefined, sub };
  }
  if (!attribute.multiValued || attribute.subAttributes === undefined) return undefined;
  return {
    kind: 'attribute',
    extension,
    attribute,
    filter: parseValueFilter(attribute, filter),
    sub,
  };
}

export function parsePath(type: ResourceType, path: string): PatchTarget {
  const target = findTarget(type, path.trim());
  if (target !== undefined) return target;
  throw badRequest('invalidPath', `A ${type.name} has no attribute "${shortenInput(path)}".`);
}
