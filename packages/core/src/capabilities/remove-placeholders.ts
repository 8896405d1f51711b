import type { Json } from '../json.ts';

export interface ExpandedText {
  text: string;
  origin: (index: number) => number;
}

/** Returns a prompt as written, and as each harness reads it after removing missing arguments. */
export function expandedTexts(text: string, names: readonly string[]): ExpandedText[] {
  const written: ExpandedText = { text, origin: (index) => index };
  if (!PLACEHOLDER_SIGN.test(text)) return [written];
  const expanded = [openCodePatterns, claudePatterns(names), anyPatterns].map((patterns) =>
    patterns.reduce(removeMatches, written),
  );
  return [written, ...expanded.filter((one) => one.text !== text)];
}

const PLACEHOLDER_SIGN = /[${]/;

/** Placeholders of OpenCode and Kilo: numbers first, then all arguments. */
const openCodePatterns = [/\$\d+/g, /\$ARGUMENTS/g];

const MAX_NAMES = 64;
const MAX_NAME_LENGTH = 64;

export function hasExcessNames(names: readonly string[]): boolean {
  return names.length > MAX_NAMES || names.some((name) => name.length > MAX_NAME_LENGTH);
}

/** Returns placeholders of Claude Code: the longest name first, then numbers. `\$` is a plain dollar sign. */
function claudePatterns(names: readonly string[]): RegExp[] {
  const read = names.filter((name) => name.length <= MAX_NAME_LENGTH).slice(0, MAX_NAMES);
  return [
    ...read
      .toSorted((a, b) => b.length - a.length)
      .map((name) => new RegExp(`${UNESCAPED_DOLLAR}${escapePattern(name)}(?![\\[\\w])`, 'g')),
    new RegExp(`${UNESCAPED_DOLLAR}ARGUMENTS\\[\\d+\\]`, 'g'),
    new RegExp(`${UNESCAPED_DOLLAR}\\d+(?!\\w)`, 'g'),
    new RegExp(`${UNESCAPED_DOLLAR}ARGUMENTS`, 'g'),
  ];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

const UNESCAPED_DOLLAR = String.raw`(?<!(?<!\\)\\)\$`;

/** Placeholders of all harnesses, including those that run no inline commands today. */
const anyPatterns = [
  /\$\d+/g,
  /\$ARGUMENTS(?:\[\d+\])?/g,
  /\$\{[^{}\n]*\}/g,
  /\{\{[^{}\n]*\}\}/g,
  /\{(?:env|file|input):[^{}\n]*\}/g,
  // An argument name can be any string.
  /\$[^\s`!{}]+/g,
];

function removeMatches(before: ExpandedText, pattern: RegExp): ExpandedText {
  const pieces: string[] = [];
  const starts: { at: number; was: number }[] = [];
  let length = 0;
  let from = 0;
  const keep = (to: number): void => {
    if (to === from) return;
    pieces.push(before.text.slice(from, to));
    starts.push({ at: length, was: from });
    length += to - from;
  };
  for (const match of before.text.matchAll(pattern)) {
    keep(match.index);
    from = match.index + match[0].length;
  }
  if (from === 0) return before;
  keep(before.text.length);
  const origin = (index: number): number => {
    const { at, was } = starts[lastStart(starts, index)] ?? { at: 0, was: before.text.length };
    return before.origin(was + index - at);
  };
  return { text: pieces.join(''), origin };
}

function lastStart(starts: readonly { at: number }[], index: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.at ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the argument names of the frontmatter: a list, or names with spaces between them. */
export function argumentNames(value: Json | undefined): string[] {
  const names = typeof value === 'string' ? value.split(/\s+/) : value;
  if (!Array.isArray(names)) return [];
  return names.filter((name) => typeof name === 'string').filter((name) => name.trim() !== '');
}
