import { isObject, type ResourceType, type ScimObject, type ScimValue } from './attribute.ts';
import { attributesOf, findPath, splitSchema } from './attribute-path.ts';
import type { Projection } from './list-query.ts';

export function includesAttribute(
  type: ResourceType,
  name: string,
  { attributes, excluded }: Projection,
): boolean {
  const names = (list: readonly string[]): boolean =>
    list.some((one) => findPath(type, one)?.attribute.name === name);
  if (attributes !== undefined) return names(attributes);
  return excluded === undefined || !excluded.some((one) => isWhole(type, one, name));
}

function isWhole(type: ResourceType, path: string, name: string): boolean {
  const found = findPath(type, path);
  return found?.attribute.name === name && found.sub === undefined;
}

export function project(
  type: ResourceType,
  resource: ScimObject,
  { attributes, excluded }: Projection,
): ScimObject {
  if (attributes !== undefined) return pick(type, resource, attributes);
  return excluded === undefined ? resource : omit(type, resource, excluded);
}

function pick(type: ResourceType, resource: ScimObject, names: readonly string[]): ScimObject {
  const picked: ScimObject = {};
  for (const { name, returned } of attributesOf(type, undefined)) {
    const value = resource[name];
    if (returned === 'always' && value !== undefined) picked[name] = value;
  }
  for (const name of names) {
    const schema = splitSchema(type, name);
    const { extension } = schema ?? {};
    const whole = extension === undefined ? undefined : resource[extension];
    if (schema?.is_schema === true && extension !== undefined && whole !== undefined) {
      picked[extension] = whole;
      continue;
    }
    const path = findPath(type, name);
    const holder = extension === undefined ? resource : whole;
    if (path === undefined || !isObject(holder)) continue;
    const value = holder[path.attribute.name];
    if (value === undefined) continue;
    const target = extension === undefined ? picked : objectIn(picked, extension);
    target[path.attribute.name] =
      path.sub === undefined
        ? value
        : merge(target[path.attribute.name], onlyPart(value, path.sub.name));
  }
  return picked;
}

function omit(type: ResourceType, resource: ScimObject, names: readonly string[]): ScimObject {
  const kept = structuredClone(resource);
  for (const name of names) {
    const schema = splitSchema(type, name);
    const { extension } = schema ?? {};
    if (schema?.is_schema === true && extension !== undefined) {
      delete kept[extension];
      continue;
    }
    const path = findPath(type, name);
    const holder = extension === undefined ? kept : kept[extension];
    if (path === undefined || path.attribute.returned === 'always' || !isObject(holder)) continue;
    const value = holder[path.attribute.name];
    if (path.sub === undefined) delete holder[path.attribute.name];
    else if (value !== undefined) dropPart(value, path.sub.name);
  }
  return kept;
}

function onlyPart(value: ScimValue, part: string): ScimValue {
  if (Array.isArray(value)) return value.map((one) => onlyPart(one, part));
  const found = isObject(value) ? value[part] : undefined;
  return found === undefined ? {} : { [part]: found };
}

function merge(before: ScimValue | undefined, more: ScimValue): ScimValue {
  if (Array.isArray(before) && Array.isArray(more)) {
    return before.map((one, at) => merge(one, more[at] ?? {}));
  }
  return isObject(before) && isObject(more) ? { ...before, ...more } : more;
}

function dropPart(value: ScimValue, part: string): void {
  if (Array.isArray(value)) for (const one of value) dropPart(one, part);
  else if (isObject(value)) delete value[part];
}

function objectIn(picked: ScimObject, name: string): ScimObject {
  const before = picked[name];
  if (isObject(before)) return before;
  const made: ScimObject = {};
  picked[name] = made;
  return made;
}
