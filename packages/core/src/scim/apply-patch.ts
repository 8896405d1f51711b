import {
  isObject,
  type Attribute,
  type ResourceType,
  type ScimObject,
  type ScimValue,
} from './attribute.ts';
import { selectedMembers, readMembers, type MemberChange } from './members.ts';
import { normalizeParts, normalizeValue } from './normalize-value.ts';
import { findTarget, parsePath, type PatchTarget } from './parse-path.ts';
import { changeValues } from './patch-values.ts';
import type { PatchOperation } from './read-patch.ts';
import { requireWhole } from './read-resource.ts';
import { badRequest } from './scim-error.ts';

export interface PatchedResource {
  attributes: ScimObject;
  members: readonly MemberChange[];
}

type AttributeTarget = Extract<PatchTarget, { kind: 'attribute' }>;

interface Draft {
  type: ResourceType;
  attributes: ScimObject;
  members: MemberChange[];
}

/** Applies all operations of a patch in order, or throws without a change. */
export function applyPatch(
  type: ResourceType,
  attributes: ScimObject,
  operations: readonly PatchOperation[],
): PatchedResource {
  const draft: Draft = { type, attributes: structuredClone(attributes), members: [] };
  for (const operation of operations) apply(draft, operation);
  requireWhole(type, draft.attributes);
  return { attributes: draft.attributes, members: draft.members };
}

function apply(draft: Draft, { op, path, value }: PatchOperation): void {
  if (path !== undefined) {
    const target = parsePath(draft.type, path);
    if (target.kind === 'attribute') rejectReadOnly(target);
    applyTo(draft, op, target, value);
    return;
  }
  if (op === 'remove') throw badRequest('noTarget', 'A remove operation needs a path.');
  if (!isObject(value)) {
    throw badRequest('invalidValue', `Without a path, the value of "${op}" must be an object.`);
  }
  // A name may be a path, such as `name.givenName` of Entra. Unknown and read-only attributes are ignored, as in a
  // complete resource.
  for (const [name, given] of Object.entries(value)) {
    const target = findTarget(draft.type, name);
    if (target === undefined || isReadOnly(target)) continue;
    applyTo(draft, op, target, given);
  }
}

function applyTo(
  draft: Draft,
  op: PatchOperation['op'],
  target: PatchTarget,
  value: ScimValue | undefined,
): void {
  if (target.kind === 'extension') {
    applyToExtension(draft, op, target.extension, value);
  } else if (draft.type.name === 'Group' && target.attribute.name === 'members') {
    draft.members.push(...changeMembers(op, target, value));
  } else {
    applyToAttribute(draft, op, target, value);
  }
}

function applyToExtension(
  { type, attributes }: Draft,
  op: PatchOperation['op'],
  extension: string,
  value: ScimValue | undefined,
): void {
  if (op === 'remove') {
    delete attributes[extension];
    return;
  }
  if (!isObject(value)) throw badRequest('invalidValue', `"${extension}" must be an object.`);
  const known = type.extensions.find(({ id }) => id === extension)?.attributes ?? [];
  const before = attributes[extension];
  attributes[extension] = {
    ...(isObject(before) ? before : {}),
    ...normalizeParts(known, value),
  };
}

function applyToAttribute(
  { attributes }: Draft,
  op: PatchOperation['op'],
  target: AttributeTarget,
  value: ScimValue | undefined,
): void {
  const { extension, attribute } = target;
  const holder = extension === undefined ? attributes : objectIn(attributes, extension);
  const before = holder[attribute.name];
  const after = attribute.multiValued
    ? changeValues(op, target, Array.isArray(before) ? before : [], value)
    : changeOne(op, target, before, value);
  if (after === undefined) delete holder[attribute.name];
  else holder[attribute.name] = after;
  if (extension !== undefined && Object.keys(holder).length === 0) delete attributes[extension];
  if (after === undefined && attribute.required) {
    throw badRequest('mutability', `"${attribute.name}" cannot be removed.`);
  }
}

function changeOne(
  op: PatchOperation['op'],
  { attribute, sub }: AttributeTarget,
  before: ScimValue | undefined,
  value: ScimValue | undefined,
): ScimValue | undefined {
  const parts = isObject(before) ? { ...before } : {};
  if (sub !== undefined) {
    const normal = op === 'remove' ? undefined : normalizeValue(sub, requireValue(sub, value));
    if (normal === undefined) delete parts[sub.name];
    else parts[sub.name] = normal;
    return Object.keys(parts).length === 0 ? undefined : parts;
  }
  if (op === 'remove') return undefined;
  const normal = normalizeValue(attribute, requireValue(attribute, value));
  return isObject(normal) ? { ...parts, ...normal } : normal;
}

export function requireValue({ name }: Attribute, value: ScimValue | undefined): ScimValue {
  if (value !== undefined) return value;
  throw badRequest('invalidValue', `The operation on "${name}" has no value.`);
}

/** Changes members without reading the existing ones, which may be many. */
function changeMembers(
  op: PatchOperation['op'],
  { filter, sub }: AttributeTarget,
  value: ScimValue | undefined,
): MemberChange[] {
  if (sub !== undefined) {
    throw badRequest('invalidPath', 'Members are added and removed as a whole, not in parts.');
  }
  if (filter === undefined) {
    const ids = readMembers(value ?? null);
    if (op === 'replace') return [{ kind: 'set', ids }];
    if (op === 'remove' && ids.length === 0) return [{ kind: 'set', ids }];
    return [{ kind: op, ids }];
  }
  const selected = selectedMembers(filter);
  if (op === 'remove') return [{ kind: 'remove', ids: selected }];
  throw badRequest('invalidPath', 'Members are added without a filter.');
}

function rejectReadOnly(target: AttributeTarget): void {
  if (!isReadOnly(target)) return;
  const { name } = target.sub ?? target.attribute;
  throw badRequest('mutability', `"${name}" is read-only: the registry sets it.`);
}

function isReadOnly(target: PatchTarget): boolean {
  if (target.kind === 'extension') return false;
  return target.attribute.mutability === 'readOnly' || target.sub?.mutability === 'readOnly';
}

function objectIn(attributes: ScimObject, name: string): ScimObject {
  const before = attributes[name];
  if (isObject(before)) return before;
  const made: ScimObject = {};
  attributes[name] = made;
  return made;
}
