import type { Attribute, ScimObject, ScimValue } from './attribute.ts';
import { isObject } from './attribute.ts';
import type { AttributePath } from './attribute-path.ts';
import {
  comparedAttribute,
  type CompareOperator,
  type CompareValue,
  type Filter,
} from './filter.ts';
import { foldName } from './fold-name.ts';

/** Returns true if a resource matches a filter. Names must have the case of the schema. */
export function matchesFilter(filter: Filter, resource: ScimObject): boolean {
  if (filter.kind === 'and') return filter.parts.every((part) => matchesFilter(part, resource));
  if (filter.kind === 'or') return filter.parts.some((part) => matchesFilter(part, resource));
  if (filter.kind === 'not') return !matchesFilter(filter.part, resource);
  if (filter.kind === 'present') return valuesAt(filter.path, resource).length > 0;
  if (filter.kind === 'compare') return matchesComparison(filter, resource);
  return listAt(filter.path, resource).some(
    (value) => isObject(value) && matchesFilter(filter.part, value),
  );
}

function matchesComparison(
  { path, operator, value }: Extract<Filter, { kind: 'compare' }>,
  resource: ScimObject,
): boolean {
  const attribute = comparedAttribute(path);
  const found = valuesAt(path, resource);
  // A missing value equals only null.
  if (found.length === 0) return (operator === 'eq') === (value === null) && isEquality(operator);
  return found.some((one) => compare(attribute, one, operator, value));
}

function isEquality(operator: CompareOperator): boolean {
  return operator === 'eq' || operator === 'ne';
}

function valuesAt({ extension, attribute, sub }: AttributePath, resource: ScimObject): ScimValue[] {
  const list = listAt({ extension, attribute, sub }, resource);
  const part = sub ?? (attribute.multiValued ? valuePart(attribute) : undefined);
  if (part === undefined) return list.filter((value) => !isEmpty(value));
  return list.flatMap((value) => {
    const found = isObject(value) ? value[part.name] : undefined;
    return found === undefined || isEmpty(found) ? [] : [found];
  });
}

function valuePart({ subAttributes = [] }: Attribute): Attribute | undefined {
  return subAttributes.find(({ name }) => name === 'value');
}

function listAt({ extension, attribute }: AttributePath, resource: ScimObject): ScimValue[] {
  const object = extension === undefined ? resource : resource[extension];
  const value = isObject(object) ? object[attribute.name] : undefined;
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isEmpty(value: ScimValue): boolean {
  if (value === null || value === '') return true;
  return isObject(value) && Object.keys(value).length === 0;
}

function compare(
  attribute: Attribute,
  found: ScimValue,
  operator: CompareOperator,
  wanted: CompareValue,
): boolean {
  const [one, other] = [comparable(attribute, found), comparable(attribute, wanted)];
  if (operator === 'eq') return one === other;
  if (operator === 'ne') return one !== other;
  if (typeof one === 'number' && typeof other === 'number') return isOrdered(one, operator, other);
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (operator === 'co') return one.includes(other);
  if (operator === 'sw') return one.startsWith(other);
  if (operator === 'ew') return one.endsWith(other);
  return isOrdered(one, operator, other);
}

function isOrdered<Value extends string | number>(
  one: Value,
  operator: CompareOperator,
  other: Value,
): boolean {
  if (operator === 'gt') return one > other;
  if (operator === 'ge') return one >= other;
  if (operator === 'lt') return one < other;
  return operator === 'le' && one <= other;
}

/** Converts a value for comparison: times to numbers, strings to lowercase unless case matters. */
function comparable(attribute: Attribute, value: ScimValue): ScimValue {
  if (attribute.type === 'boolean' && typeof value === 'string') {
    return value.toLowerCase() === 'true';
  }
  if (typeof value !== 'string') return value;
  if (attribute.type === 'dateTime') {
    const moment = Date.parse(value);
    return Number.isNaN(moment) ? value : moment;
  }
  return attribute.caseExact ? value : foldName(value);
}
