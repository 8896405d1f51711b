import { nearest } from '@catalog/core/text/nearest';
import type { z } from 'zod';

export interface DescribedIssue {
  argument: string;
  constraint: string;
  message: string;
}

/** Describes a validation error. `known` are the names that the top level accepts. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  input: unknown,
  known: readonly string[],
): DescribedIssue {
  if (issue.code === 'unrecognized_keys') return describeUnknown(issue, known);
  const argument = pathOf(issue.path);
  const isMissing = issue.path.length > 0 && valueAt(input, issue.path) === undefined;
  if (isMissing) {
    return { argument, constraint: 'required', message: `"${argument}" is required.` };
  }
  return {
    argument,
    constraint: CONSTRAINTS[issue.code] ?? 'invalid',
    message: `"${argument}" ${requirementOf(issue)}.`,
  };
}

const CONSTRAINTS: Readonly<Record<string, string>> = {
  invalid_type: 'type',
  too_big: 'max',
  too_small: 'min',
  invalid_value: 'values',
  invalid_format: 'format',
};

function requirementOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_big') {
    return `must ${sizeOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'too_small') {
    const isEmpty = issue.origin !== 'number' && issue.minimum === 1;
    return isEmpty
      ? 'must not be empty'
      : `must ${sizeOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'invalid_value') {
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  }
  return `is not valid: ${issue.message}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function sizeOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function describeUnknown(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  topLevel: readonly string[],
): DescribedIssue {
  const [key = ''] = issue.keys;
  const argument = pathOf([...issue.path, key]);
  const known = issue.path.length === 0 ? topLevel : [];
  const near = nearest(key, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const takes = known.length === 0 ? '' : ` Accepted: ${known.join(', ')}.`;
  return {
    argument,
    constraint: 'unknown',
    message: `Unknown field "${argument}".${hint}${takes}`,
  };
}

/** Formats a path as `a.b[2]`, or as `body` if it is empty. */
export function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? String(step) : `.${String(step)}`;
    })
    .join('');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
