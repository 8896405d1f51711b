const MAX_ALTERNATIVES = 256;
const MAX_CHARACTERS = 8192;

export type Expansion =
  | { kind: 'expanded'; patterns: string[] }
  | { kind: 'refused'; problem: string };

interface Cursor {
  readonly pattern: string;
  offset: number;
}

export function expandBraces(pattern: string): Expansion {
  const cursor = { pattern, offset: 0 };
  const patterns = readSequence(cursor, false);
  if (patterns === undefined) {
    return { kind: 'refused', problem: `expands to more than ${MAX_ALTERNATIVES} patterns` };
  }
  if (patterns === 'unbalanced' || cursor.offset < pattern.length) {
    return { kind: 'refused', problem: 'has an unmatched { or }' };
  }
  const characters = patterns.reduce((sum, { length }) => sum + length, 0);
  return characters > MAX_CHARACTERS
    ? { kind: 'refused', problem: `expands to more than ${MAX_CHARACTERS} characters` }
    : { kind: 'expanded', patterns };
}

type Patterns = string[] | 'unbalanced' | undefined;

function readSequence(cursor: Cursor, inGroup: boolean): Patterns {
  let patterns = [''];
  while (cursor.offset < cursor.pattern.length) {
    const sign = cursor.pattern.charAt(cursor.offset);
    if (sign === '}' || (sign === ',' && inGroup)) break;
    const next = sign === '{' ? readGroup(cursor) : [readText(cursor, inGroup)];
    if (next === undefined || next === 'unbalanced') return next;
    if (patterns.length * next.length > MAX_ALTERNATIVES) return undefined;
    patterns = patterns.flatMap((head) => next.map((tail) => head + tail));
  }
  return patterns;
}

function readGroup(cursor: Cursor): Patterns {
  const alternatives: string[] = [];
  do {
    cursor.offset += 1;
    const next = readSequence(cursor, true);
    if (next === undefined || next === 'unbalanced') return next;
    alternatives.push(...next);
    if (alternatives.length > MAX_ALTERNATIVES) return undefined;
  } while (cursor.pattern.charAt(cursor.offset) === ',');
  if (cursor.pattern.charAt(cursor.offset) !== '}') return 'unbalanced';
  cursor.offset += 1;
  return alternatives;
}

function readText(cursor: Cursor, inGroup: boolean): string {
  const { pattern, offset } = cursor;
  while (cursor.offset < pattern.length) {
    const sign = pattern.charAt(cursor.offset);
    if (sign === '{' || sign === '}' || (sign === ',' && inGroup)) break;
    cursor.offset += 1;
  }
  return pattern.slice(offset, cursor.offset);
}
