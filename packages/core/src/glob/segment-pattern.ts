import { ANY_NUMBER, matchWild, type Step } from './match-wild.ts';

export type SegmentPattern = (segment: string) => boolean;

export type SegmentReading =
  | { kind: 'pattern'; matches: SegmentPattern }
  | { kind: 'refused'; problem: string };

const WILD = /[*?[]/;

/** Compiles one segment with shell syntax: `*`, `?`, `[abc]`, `[a-z]`, `[!abc]`. */
export function compileSegment(text: string): SegmentReading {
  if (!WILD.test(text)) return { kind: 'pattern', matches: (segment) => segment === text };
  if (text === '*') return { kind: 'pattern', matches: () => true };
  const characters = Array.from(text);
  const steps: Step<string>[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    if (character === '*') {
      steps.push(ANY_NUMBER);
    } else if (character === '?') {
      steps.push(() => true);
    } else if (character === '[') {
      const end = endOfClass(characters, index);
      const accepts = end === -1 ? undefined : compileClass(characters.slice(index + 1, end));
      if (accepts === undefined) return { kind: 'refused', problem: classProblem(end) };
      steps.push(accepts);
      index = end;
    } else {
      steps.push((item) => item === character);
    }
  }
  return { kind: 'pattern', matches: (segment) => matchWild(steps, Array.from(segment)) };
}

/** Returns the end of a character class. A `]` right after the opening is a member. */
function endOfClass(characters: readonly string[], start: number): number {
  const first = isNegation(characters[start + 1]) ? start + 2 : start + 1;
  return characters.indexOf(']', first + 1);
}

function compileClass(members: readonly string[]): ((item: string) => boolean) | undefined {
  const negated = isNegation(members[0]);
  const ranges: [from: string, to: string][] = [];
  for (let index = negated ? 1 : 0; index < members.length; index += 1) {
    const from = members[index] ?? '';
    const to = members[index + 1] === '-' ? members[index + 2] : undefined;
    if (to === undefined) {
      ranges.push([from, from]);
    } else {
      if (from > to) return undefined;
      ranges.push([from, to]);
      index += 2;
    }
  }
  return (item) => ranges.some(([from, to]) => from <= item && item <= to) !== negated;
}

function isNegation(character: string | undefined): boolean {
  return character === '!' || character === '^';
}

function classProblem(end: number): string {
  return end === -1 ? 'has an unmatched [' : 'has a range in [ ] whose end is before its start';
}
