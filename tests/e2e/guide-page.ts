/**
 * One step on a page of the guide. Tests execute the steps and compare the output.
 * A fence marked `console` holds commands (lines that start with `$ `), each followed by its
 * output. A fence marked `terminal` holds a command that runs in its own terminal until the end of
 * the page, with its startup output. A fence with `title="path"` is a file that the reader creates.
 * Other fences, such as `text` with the output of a command that never ends, are not executed.
 */
export type Step =
  | { kind: 'file'; line: number; path: string; text: string }
  | { kind: 'command'; line: number; command: string; output: string[] }
  | { kind: 'terminal'; line: number; command: string; output: string[] };

export interface Fence {
  /** First line, 1-based. */
  line: number;
  language: string;
  title: string | undefined;
  lines: string[];
}

const OPENING = /^(?<indent> *)(?<ticks>`{3,})(?<language>[a-z]*)(?: title="(?<title>[^"]+)")?$/;

const ANY_LINES = '...';

export function readSteps(markdown: string): Step[] {
  return readFences(markdown).flatMap(stepsOf);
}

export function readFences(markdown: string): Fence[] {
  return readBlocks(markdown).fences;
}

export function readProse(markdown: string): string {
  return readBlocks(markdown).prose.join('\n');
}

/** Returns the steps of a code block; empty if it is not executed. */
export function stepsOf(fence: Fence): Step[] {
  if (fence.language === 'console') return readCommands(fence);
  if (fence.language === 'terminal') {
    return readCommands(fence).map((step) => ({ ...step, kind: 'terminal' }));
  }
  if (fence.title === undefined) return [];
  const text = `${fence.lines.join('\n')}\n`;
  return [{ kind: 'file', line: fence.line, path: fence.title, text }];
}

export function readLinks(markdown: string): { path: string; anchor: string | undefined }[] {
  return [...readProse(markdown).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(
    ([, path = '', anchor]) => ({
      path,
      anchor,
    }),
  );
}

export function readAnchors(markdown: string): Set<string> {
  const headings = readBlocks(markdown).prose.filter((line) => /^#+ /.test(line));
  return new Set(headings.map(toAnchor));
}

function toAnchor(heading: string): string {
  const words = heading.replace(/^#+ /, '').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

function readBlocks(markdown: string): { fences: Fence[]; prose: string[] } {
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { fence: Fence; indent: string; ticks: string } | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (open !== undefined) {
      const { fence, indent, ticks } = open;
      if (text === indent + ticks) open = undefined;
      else fence.lines.push(text.startsWith(indent) ? text.slice(indent.length) : text);
    } else if (text.trimStart().startsWith('```')) {
      const groups = OPENING.exec(text)?.groups;
      if (groups === undefined) throw new Error(`line ${index + 1}: what does ${text} mean?`);
      const { indent = '', ticks = '', language = '', title } = groups;
      open = { fence: { line: index + 1, language, title, lines: [] }, indent, ticks };
      fences.push(open.fence);
    } else {
      prose.push(text);
    }
  }
  if (open !== undefined) throw new Error(`line ${open.fence.line}: the fence is never closed`);
  return { fences, prose };
}

function readCommands({ line, lines }: Fence): Extract<Step, { kind: 'command' }>[] {
  const commands: Extract<Step, { kind: 'command' }>[] = [];
  for (const [index, text] of lines.entries()) {
    const last = commands.at(-1);
    if (text.startsWith('$ ')) {
      const at = line + 1 + index;
      commands.push({ kind: 'command', line: at, command: text.slice(2), output: [] });
    } else if (last === undefined) {
      throw new Error(`line ${line}: output without a command before it`);
    } else {
      last.output.push(text);
    }
  }
  return commands;
}

export function isOutput(expected: readonly string[], printed: string): boolean {
  return matches(trimEnd(expected), trimEnd(printed.split('\n')));
}

export function replaceOutput(
  markdown: string,
  printed: readonly { step: Extract<Step, { output: string[] }>; printed: string }[],
): string {
  const lines = markdown.split('\n');
  for (const { step, printed: text } of printed.toReversed()) {
    const output = trimEnd(step.output);
    lines.splice(step.line, output.length, ...shorten(trimEnd(text.split('\n')), output));
  }
  return lines.join('\n');
}

/** Shortens output in the same place as the page, with as many lines before and after. */
function shorten(printed: readonly string[], shown: readonly string[]): readonly string[] {
  const before = shown.indexOf(ANY_LINES);
  const after = shown.length - 1 - shown.lastIndexOf(ANY_LINES);
  if (before === -1 || before + after >= printed.length) return printed;
  return [...printed.slice(0, before), ANY_LINES, ...printed.slice(printed.length - after)];
}

function matches(expected: readonly string[], printed: readonly string[]): boolean {
  const [line, ...rest] = expected;
  if (line === undefined) return printed.length === 0;
  if (line !== ANY_LINES) {
    const [first, ...others] = printed;
    return (
      first !== undefined && constantPart(line) === constantPart(first) && matches(rest, others)
    );
  }
  return printed.some((_, skipped) => matches(rest, printed.slice(skipped))) || matches(rest, []);
}

/**
 * Removes dates, durations and generated names, which differ in every run, and the hash in a
 * plugin's version, which changes with the rendered content.
 */
function constantPart(line: string): string {
  return line
    .replace(/\(\d+(?:\.\d)? m?s\)/, '(N ms)')
    .replace(/(\.catalog\/(?:backup|kept)\/\S+)\.[0-9a-f]{8}/, '$1')
    .replace(/^\d\d:\d\d:\d\d /, '')
    .replace(/ duration_ms=\S+/, '')
    .replaceAll(/\+[0-9a-f]{8}\b/g, '+HASH')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
}

/** Removes trailing empty lines, which separate commands on the page. */
function trimEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
