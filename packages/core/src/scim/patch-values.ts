import { isObject, type Attribute, type ScimObject, type ScimValue } from './attribute.ts';
import { matchesFilter } from './matches-filter.ts';
import type { Filter } from './filter.ts';
import { normalizeValue } from './normalize-value.ts';
import type { PatchTarget } from './parse-path.ts';
import { badRequest } from './scim-error.ts';

type ListTarget = Pick<Extract<PatchTarget, { kind: 'attribute' }>, 'attribute' | 'filter' | 'sub'>;

export function changeValues(
  op: 'add' | 'replace' | 'remove',
  target: ListTarget,
  before: readonly ScimValue[],
  value: ScimValue | undefined,
): ScimValue[] | undefined {
  const after =
    op === 'remove' ? removeValues(target, before, value) : setValues(op, target, before, value);
  return after.length === 0 ? undefined : after;
}

function setValues(
  op: 'add' | 'replace',
  { attribute, filter, sub }: ListTarget,
  before: readonly ScimValue[],
  value: ScimValue | undefined,
): ScimValue[] {
  if (value === undefined) {
    throw badRequest('invalidValue', `The operation on "${attribute.name}" has no value.`);
  }
  if (filter === undefined && sub === undefined) {
    const given = listOf(normalizeValue(attribute, value));
    return op === 'replace' ? given : append(before, given);
  }
  const part = partOf(attribute, sub, value);
  const isSelected = (one: ScimValue): boolean =>
    isObject(one) && (filter === undefined || matchesFilter(filter, one));
  if (!before.some(isSelected)) {
    if (op === 'replace') {
      throw badRequest('noTarget', `The path matches no value of "${attribute.name}".`);
    }
    return append(before, [{ ...describedBy(filter), ...part }]);
  }
  const keeps = op === 'add' || sub !== undefined;
  const changed = new Set<ScimValue>();
  const after = before.map((one) => {
    if (!isObject(one) || !isSelected(one)) return one;
    const next = keeps ? { ...one, ...part } : part;
    changed.add(next);
    return next;
  });
  return onePrimary(attribute, after, changed);
}

function partOf(attribute: Attribute, sub: Attribute | undefined, value: ScimValue): ScimObject {
  if (sub !== undefined) {
    const normal = normalizeValue(sub, value);
    return normal === undefined ? {} : { [sub.name]: normal };
  }
  const [only, ...more] = listOf(normalizeValue(attribute, value));
  if (isObject(only) && more.length === 0) return only;
  throw badRequest('invalidValue', `The operation on "${attribute.name}" needs one value.`);
}

/** Appends new values. A new primary value replaces the old one. */
function append(before: readonly ScimValue[], given: readonly ScimValue[]): ScimValue[] {
  const known = new Set(before.map(textOf));
  const added = given.filter((one) => !known.has(textOf(one)));
  return onePrimary(undefined, [...before, ...added], new Set(added));
}

/** Keeps one primary value: the one of this operation, if there is one. */
function onePrimary(
  attribute: Attribute | undefined,
  values: readonly ScimValue[],
  changed: ReadonlySet<ScimValue>,
): ScimValue[] {
  const isPrimary = (one: ScimValue): boolean => isObject(one) && one['primary'] === true;
  const chosen = values.filter((one) => changed.has(one) && isPrimary(one));
  if (chosen.length === 0) return [...values];
  if (chosen.length > 1) {
    throw badRequest(
      'invalidValue',
      `"${attribute?.name ?? 'primary'}" has more than one primary value.`,
    );
  }
  return values.map((one) =>
    isObject(one) && isPrimary(one) && !changed.has(one) ? { ...one, primary: false } : one,
  );
}

function removeValues(
  { attribute, filter, sub }: ListTarget,
  before: readonly ScimValue[],
  value: ScimValue | undefined,
): ScimValue[] {
  const isSelected = (one: ScimValue): boolean =>
    filter === undefined || (isObject(one) && matchesFilter(filter, one));
  if (sub !== undefined) {
    return before.flatMap((one) => {
      if (!isObject(one) || !isSelected(one)) return [one];
      const { [sub.name]: _, ...rest } = one;
      return Object.keys(rest).length === 0 ? [] : [rest];
    });
  }
  if (value === undefined || value === null) return before.filter((one) => !isSelected(one));
  const named = new Set(listOf(normalizeValue(attribute, value)).map(identityOf));
  return before.filter((one) => !isSelected(one) || !named.has(identityOf(one)));
}

/** Returns the members that a new value needs to match the filter. */
function describedBy(filter: Filter | undefined): ScimObject {
  if (filter === undefined) return {};
  if (filter.kind === 'and') {
    return Object.fromEntries(filter.parts.flatMap((part) => Object.entries(describedBy(part))));
  }
  const isEqual = filter.kind === 'compare' && filter.operator === 'eq' && filter.value !== null;
  if (isEqual) return { [filter.path.attribute.name]: filter.value };
  throw badRequest('noTarget', 'The path matches no value and does not describe a new one.');
}

/** Identifies a value by `value`, or otherwise by all its members. */
function identityOf(one: ScimValue): string {
  return textOf(isObject(one) && one['value'] !== undefined ? one['value'] : one);
}

function textOf(value: ScimValue): string {
  if (!isObject(value)) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function listOf(value: ScimValue | undefined): ScimValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
