import type { Reading } from './capability-reading.ts';
import { expandedTexts, type ExpandedText } from './remove-placeholders.ts';

/** Opening of a code block whose content Claude Code runs. */
const FENCE = '```!';
/** Opening of inline code that Claude Code, OpenCode, Kilo and Hermes run. */
const TICK = '!`';
/** Opening of braces whose content Gemini CLI and Qwen Code run. */
const BRACE = '!{';

/** Opening of a file that Gemini CLI includes in the prompt before it runs commands. */
const INCLUDE = '@{';

export function includesFiles(text: string): boolean {
  return text.includes(INCLUDE);
}

/**
 * Lists the shell commands that some harness runs when it expands a prompt. Harnesses disagree on where a command may
 * start, so every possible start counts, even in code blocks. Placeholders within a start are skipped, because
 * harnesses remove missing arguments first. `names` are the arguments in the frontmatter. A file include such as
 * `@path` runs nothing.
 */
export function readInlineCommands(
  text: string,
  file: string,
  names: readonly string[] = [],
): Reading {
  return readingOf(file, [
    ...expandedTexts(text, names).flatMap((expanded) => [
      ...written(text, expanded, between(expanded.text, FENCE, '```')),
      ...written(text, expanded, between(expanded.text, TICK, '`')),
      ...Array.from(written(text, expanded, braced(expanded.text)), withBraces),
    ]),
    // Adapters for Gemini CLI and Qwen Code write all arguments in braces.
    ...written(withBraces(text), SAME, braced(withBraces(text))),
    // Droid runs a command file that starts with an interpreter line.
    ...(text.trimStart().startsWith('#!') ? [text] : []),
  ]);
}

/**
 * Lists the commands that Claude Code runs, which requires a space before the exclamation mark. For documents that
 * become prompts only in a command directory.
 */
export function readSpacedCommands(text: string, file: string): Reading {
  return readingOf(
    file,
    expandedTexts(text, []).flatMap((expanded) => {
      const isSpaced = (at: number): boolean => at === 0 || /\s/.test(expanded.text[at - 1] ?? '');
      return [
        ...written(text, expanded, between(expanded.text, FENCE, '```')),
        ...written(text, expanded, between(expanded.text, TICK, '`', isSpaced)),
      ];
    }),
  );
}

function readingOf(file: string, found: readonly string[]): Reading {
  const commands = new Set(found.map((command) => command.trim()));
  commands.delete('');
  return {
    capabilities: Array.from(commands, (command) => ({ kind: 'inline_command', file, command })),
    mentions: [...commands],
  };
}

/** Part of a string, from the character after an opening to the closing. */
type Range = readonly [from: number, to: number];

function* written(
  source: string,
  { origin }: Pick<ExpandedText, 'origin'>,
  ranges: Iterable<Range>,
): Generator<string> {
  for (const [from, to] of ranges) yield source.slice(origin(from - 1) + 1, origin(to));
}

const SAME = { origin: (index: number): number => index };

function withBraces(text: string): string {
  return text.replaceAll(/\$ARGUMENTS\b/g, '{{args}}');
}

/** Yields the range from each `start` to the next `end`. Matches may overlap. */
function* between(
  text: string,
  start: string,
  end: string,
  mayStart: (at: number) => boolean = () => true,
): Generator<Range> {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const from = at + start.length;
    const to = text.indexOf(end, from);
    if (to === -1) return;
    if (mayStart(at)) yield [from, to];
  }
}

/** Yields the range in each pair of braces; an unclosed brace extends to the end. */
function* braced(text: string): Generator<Range> {
  for (let at = text.indexOf(BRACE); at !== -1;) {
    const from = at + BRACE.length;
    const to = closingBrace(text, from);
    yield [from, to];
    at = text.indexOf(BRACE, to);
  }
}

function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return text.length;
}
