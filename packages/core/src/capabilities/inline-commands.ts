import type { Reading } from './capability-reading.ts';

/** A fence that opens with an exclamation mark: Claude Code runs what is inside. */
const FENCE = '```!';
/** An exclamation mark before inline code: Claude Code, OpenCode, Kilo and Hermes run it. */
const TICK = '!`';
/** Braces after an exclamation mark: Gemini CLI and Qwen Code run what is inside. */
const BRACE = '!{';

/** Gemini CLI includes a file here, and then expands the whole prompt. */
const INCLUDE = '@{';

export function includesFiles(text: string): boolean {
  return text.includes(INCLUDE);
}

/**
 * Reads the shell commands that some harness runs when it expands a prompt. Harnesses disagree on
 * where a command may start: OpenCode accepts any `!`, even the last character of a code span. So
 * every possible start counts, also inside code blocks. A file include such as `@path` runs nothing.
 */
export function readInlineCommands(text: string, file: string): Reading {
  return readingOf(file, [
    ...between(text, FENCE, '```'),
    ...between(text, TICK, '`'),
    ...braced(text),
    // Droid runs a command file that starts with an interpreter line.
    ...(text.trimStart().startsWith('#!') ? [text] : []),
  ]);
}

/**
 * Reads only the forms of Claude Code, which needs whitespace before the exclamation mark. For
 * documents that harnesses do not load as prompts, unless a user syncs them into a command directory.
 */
export function readSpacedCommands(text: string, file: string): Reading {
  const isSpaced = (at: number): boolean => at === 0 || /\s/.test(text[at - 1] ?? '');
  return readingOf(file, [...between(text, FENCE, '```'), ...between(text, TICK, '`', isSpaced)]);
}

function readingOf(file: string, found: readonly string[]): Reading {
  const commands = new Set(found.map((command) => command.trim()));
  commands.delete('');
  return {
    capabilities: Array.from(commands, (command) => ({ kind: 'inline_command', file, command })),
    mentions: [...commands],
  };
}

/** Yields the text from each `start` to the next `end`. Matches may overlap. */
function* between(
  text: string,
  start: string,
  end: string,
  mayStart: (at: number) => boolean = () => true,
): Generator<string> {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const from = at + start.length;
    const to = text.indexOf(end, from);
    if (to === -1) return;
    if (mayStart(at)) yield text.slice(from, to);
  }
}

/** Yields the text in each pair of braces. An unclosed brace extends to the end. */
function* braced(source: string): Generator<string> {
  // Adapters for Gemini CLI and Qwen Code replace `$ARGUMENTS` with `{{args}}`.
  const text = source.replaceAll(/\$ARGUMENTS\b/g, '{{args}}');
  for (let at = text.indexOf(BRACE); at !== -1;) {
    const from = at + BRACE.length;
    const to = closingBrace(text, from);
    yield text.slice(from, to);
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
