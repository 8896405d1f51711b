import type { Node } from 'oxc-parser';
import type { SourceFile } from '../syntax/source-file.ts';
import { walk } from '../syntax/walk.ts';
import { toBlock, type Block, type BlockKind, type ProseNode } from './block.ts';

export interface CodeText {
  block: Block;
  words: string;
}

interface Piece {
  kind: BlockKind;
  start: number;
  end: number;
}

const DIRECTIVE = /^\s*(?:textlint-|oxlint-|oxfmt-|eslint-|@ts-|#|<reference|v8 ignore|@vitest)/;
/** The margin of a block comment, and the marks of a line comment. */
const MARGIN = /(?<=\n)[ \t]*(?:\*(?!\/)|\/\/+)? ?/g;
/** The value is the argument index of the title. */
const TITLE_INDEXES: Readonly<Record<string, number>> = {
  test: 0,
  it: 0,
  describe: 0,
  verifies: 1,
};

export function listCodeTexts({ path, text, program, comments }: SourceFile): CodeText[] {
  const pieces = joinLines(text, comments).filter(
    ({ start, end }) => !DIRECTIVE.test(text.slice(start, end)),
  );
  walk(program, (node) => {
    const title = titleOf(node);
    if (title !== undefined) pieces.push(title);
  });
  return pieces.map((piece) => toCodeText(path, text, piece));
}

function joinLines(
  text: string,
  comments: readonly { type: string; start: number; end: number }[],
): Piece[] {
  const pieces: Piece[] = [];
  let isLine = false;
  for (const { type, start, end } of comments) {
    const last = pieces.at(-1);
    const isNext = last !== undefined && /^\n?[ \t]*\n?[ \t]*$/.test(text.slice(last.end, start));
    if (type === 'Line' && isLine && isNext && !text.slice(last.end, start).includes('\n\n')) {
      last.end = end;
    } else {
      const inner =
        type === 'Line' ? { start: start + 2, end } : { start: start + 2, end: end - 2 };
      pieces.push({ kind: 'comment', ...inner });
    }
    isLine = type === 'Line';
  }
  return pieces;
}

function titleOf(node: Node): Piece | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const title = node.arguments[TITLE_INDEXES[rootOf(node.callee)] ?? -1];
  const isText =
    title?.type === 'TemplateLiteral' ||
    (title?.type === 'Literal' && typeof title.value === 'string');
  if (title === undefined || !isText) return undefined;
  return { kind: 'test-title', start: title.start + 1, end: title.end - 1 };
}

function rootOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'CallExpression' ? rootOf(node.callee) : '';
}

function toCodeText(path: string, text: string, { kind, start, end }: Piece): CodeText {
  const raw = text.slice(start, end);
  const children: ProseNode[] = [];
  const push = (from: number, to: number): void => {
    if (from < to) {
      children.push({ type: 'Str', raw: raw.slice(from, to), range: [start + from, start + to] });
    }
  };
  let from = raw.startsWith('*') ? 1 : 0;
  for (const match of raw.matchAll(MARGIN)) {
    push(from, match.index);
    from = match.index + match[0].length;
  }
  push(from, raw.length);
  const block = toBlock({ type: 'Paragraph', raw, range: [start, end], kind, children }, path);
  return {
    block,
    words: children
      .map((child) => child.raw.trim())
      .join(' ')
      .trim(),
  };
}
