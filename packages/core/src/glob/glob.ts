import { expandBraces } from './expand-braces.ts';
import { ANY_NUMBER, matchWild, type Step } from './match-wild.ts';
import { compileSegment } from './segment-pattern.ts';

/**
 * Dialect of patterns. With `domain`, `ops/**` also matches the domain `ops` itself. With `scope`, it matches only
 * paths below `ops`.
 */
export type GlobDialect = 'domain' | 'scope';

const MAX_PATTERN_LENGTH = 1024;

type CompiledGlob = readonly Step<string>[];

type GlobReading =
  | { kind: 'compiled'; alternatives: CompiledGlob[] }
  | { kind: 'refused'; problem: string };

/** Compiles patterns. An invalid one matches nothing; use `globProblem` to find it. */
export function compileGlobs(
  patterns: readonly string[],
  dialect: GlobDialect,
): (id: string) => boolean {
  const exact = new Set<string>();
  const compiled: CompiledGlob[] = [];
  for (const pattern of patterns) {
    const reading = readGlob(pattern, dialect);
    if (reading.kind === 'refused') continue;
    if (isPlain(pattern)) exact.add(pattern);
    else compiled.push(...reading.alternatives);
  }
  if (compiled.length === 0) return (id) => exact.has(id);
  return (id) => {
    if (exact.has(id)) return true;
    const segments = id.split('/');
    return compiled.some((steps) => matchWild(steps, segments));
  };
}

/** Returns why a pattern is invalid, as a phrase that follows the pattern; undefined if it is valid. */
export function globProblem(pattern: string): string | undefined {
  const reading = readGlob(pattern, 'scope');
  return reading.kind === 'refused' ? reading.problem : undefined;
}

function readGlob(pattern: string, dialect: GlobDialect): GlobReading {
  const problem = textProblem(pattern);
  if (problem !== undefined) return { kind: 'refused', problem };
  const expansion = expandBraces(pattern);
  if (expansion.kind === 'refused') return expansion;
  const alternatives: CompiledGlob[] = [];
  for (const alternative of expansion.patterns) {
    const compiled = compileAlternative(alternative, dialect);
    if (typeof compiled === 'string') return { kind: 'refused', problem: compiled };
    alternatives.push(compiled);
  }
  return { kind: 'compiled', alternatives };
}

function compileAlternative(pattern: string, dialect: GlobDialect): CompiledGlob | string {
  const segments = pattern.split('/');
  const steps: Step<string>[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment === '') return 'has an empty segment: a / at the start or end, or two in a row';
    if (segment === '**') {
      const deeper = dialect === 'scope' && index === segments.length - 1;
      if (deeper) steps.push(anySegment);
      steps.push(ANY_NUMBER);
      continue;
    }
    if (segment.includes('**')) return 'has a ** that is only part of a segment';
    const reading = compileSegment(segment);
    if (reading.kind === 'refused') return reading.problem;
    steps.push(reading.matches);
  }
  return steps;
}

function anySegment(): boolean {
  return true;
}

/** Characters that no id contains, so a pattern with one is a mistake. */
const IMPOSSIBLE = /[\\|<>:"@]/;

function textProblem(pattern: string): string | undefined {
  if (pattern === '') return 'is empty';
  if (pattern.length > MAX_PATTERN_LENGTH) return `is longer than ${MAX_PATTERN_LENGTH} characters`;
  const sign = IMPOSSIBLE.exec(pattern)?.[0];
  return sign === undefined ? undefined : `contains ${sign}, which is not allowed in an id`;
}

function isPlain(pattern: string): boolean {
  return !/[*?[{]/.test(pattern);
}
