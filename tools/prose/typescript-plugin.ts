import type { Expression, Node } from 'oxc-parser';
import { loadSource } from '../syntax/source-file.ts';
import { walk } from '../syntax/walk.ts';
import type { BlockKind } from './block.ts';
import type { TextlintPlugin } from './textlint-types.ts';

/**
 * Reads messages from the syntax tree instead of the tables behind the reference pages, because most
 * messages are in no table, and because a finding then has the line of the string.
 */
export const typescriptPlugin: TextlintPlugin = {
  Processor: class {
    availableExtensions(): string[] {
      return ['.ts'];
    }

    processor() {
      return {
        preProcess: (text: string, path?: string) => documentOf(text, path ?? 'source.ts'),
        postProcess: <T>(messages: T[], path?: string) => ({ messages, filePath: path ?? '' }),
      };
    }
  },
};

interface Piece {
  type: 'Str' | 'Code';
  start: number;
  end: number;
}

interface Message {
  kind: BlockKind;
  start: number;
  end: number;
  pieces: Piece[];
}

/** Two consecutive words do not occur in names, keys and paths. */
const PROSE = /(?:^|[\s("'])[A-Za-z][a-z']*,? +[a-z]{2,}|[a-z]{2,},? +[A-Za-z]{2,}/;
const OTHER_LANGUAGE =
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WHERE|VALUES|RETURNING|WITH RECURSIVE)\b|^#!|<\/?[a-z]+[ >]|\$\(|\bfunction\b.*\{/;

export function listMessages(path: string, text: string): Message[] {
  const messages: Message[] = [];
  const seen = new Set<Node>();
  walk(loadSource(path, text).program, (node, ancestors) => {
    if (seen.has(node) || !isText(node) || isName(node, ancestors)) return;
    const parts = flatten(node, seen);
    const pieces = parts.flatMap(piecesOf);
    const words = pieces
      .map(({ type, start, end }) => (type === 'Str' ? text.slice(start, end) : 'x'))
      .join('');
    if (!PROSE.test(words) || OTHER_LANGUAGE.test(words)) return;
    const { start, end } = node;
    messages.push({ kind: kindOf(node, ancestors), start, end, pieces });
  });
  return messages;
}

function isText(node: Node): node is Expression {
  if (node.type === 'Literal') return typeof node.value === 'string';
  if (node.type === 'TemplateLiteral') return true;
  return node.type === 'BinaryExpression' && node.operator === '+' && hasText(node);
}

function hasText(node: Node): boolean {
  if (node.type === 'BinaryExpression') return hasText(node.left) || hasText(node.right);
  return (
    node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
  );
}

function isName(node: Node, ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-1);
  if (parent === undefined) return false;
  if (parent.type === 'Property') return parent.key === node;
  return (
    parent.type === 'TSLiteralType' ||
    parent.type === 'TaggedTemplateExpression' ||
    parent.type === 'ImportDeclaration' ||
    parent.type === 'ImportExpression' ||
    parent.type === 'ExportNamedDeclaration' ||
    parent.type === 'ExportAllDeclaration'
  );
}

function flatten(node: Node, seen: Set<Node>): Node[] {
  if (node.type !== 'BinaryExpression' || node.operator !== '+') {
    if (isText(node)) seen.add(node);
    return [node];
  }
  seen.add(node);
  return [...flatten(node.left, seen), ...flatten(node.right, seen)];
}

function piecesOf(node: Node): Piece[] {
  const { start, end } = node;
  if (node.type === 'Literal' && typeof node.value === 'string') {
    return [{ type: 'Str', start: start + 1, end: end - 1 }];
  }
  if (node.type !== 'TemplateLiteral') return [{ type: 'Code', start, end }];
  const texts = node.quasis.map(({ start, value }): Piece => {
    // A quasi starts at the backtick or brace before it.
    return { type: 'Str', start: start + 1, end: start + 1 + value.raw.length };
  });
  const values = node.expressions.map(({ start, end }): Piece => ({ type: 'Code', start, end }));
  return [...texts, ...values].sort((a, b) => a.start - b.start);
}

/** The summary is in the object that also has the section of the command. */
function kindOf(node: Node, ancestors: readonly Node[]): BlockKind {
  const [object, property] = ancestors.slice(-2);
  if (property?.type !== 'Property' || object?.type !== 'ObjectExpression') return 'message';
  const keys = object.properties.map((member) =>
    member.type === 'Property' && member.key.type === 'Identifier' ? member.key.name : '',
  );
  const key = property.key.type === 'Identifier' ? property.key.name : '';
  return key === 'summary' && keys.includes('section') && property.value === node
    ? 'command-summary'
    : 'message';
}

function documentOf(text: string, path: string) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const position = (offset: number) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) };
  };
  const place = (start: number, end: number) => ({
    range: [start, end] as const,
    loc: { start: position(start), end: position(end) },
    raw: text.slice(start, end),
  });
  return {
    type: 'Document' as const,
    ...place(0, text.length),
    children: listMessages(path, text).map(({ kind, start, end, pieces }) => ({
      type: 'Paragraph' as const,
      kind,
      ...place(start, end),
      children: pieces.map(({ type, start, end }) => ({
        type,
        value: text.slice(start, end),
        ...place(start, end),
      })),
    })),
  };
}
