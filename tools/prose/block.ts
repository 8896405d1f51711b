import type { TextNode } from './textlint-types.ts';

/** Kind of a block, because some rules apply to one kind only. */
export type BlockKind =
  | 'paragraph'
  | 'heading'
  | 'cell'
  | 'message'
  | 'command-summary'
  | 'comment'
  | 'test-title';

/** Text to check, in which code, paths and URLs are replaced by a noun. */
export interface Block {
  kind: BlockKind;
  /** Relative to the repository, with `/`. */
  path: string;
  text: string;
  /** Offset in the file for each character of `text`. */
  offsets: readonly number[];
  /** True for characters in the label of a link. */
  linked: readonly boolean[];
}

/** Reads like a proper noun, so that sentences stay complete. */
export const PLACEHOLDER = 'CODE';

export interface ProseNode extends Pick<TextNode, 'type' | 'raw' | 'range'> {
  children?: readonly ProseNode[];
  kind?: BlockKind;
}

interface Character {
  character: string;
  offset: number;
  linked: boolean;
}

const KINDS: Readonly<Record<string, BlockKind>> = { Header: 'heading', TableCell: 'cell' };

const WRAPPERS: ReadonlySet<string> = new Set([
  'Emphasis',
  'Strong',
  'Delete',
  'Link',
  'LinkReference',
]);

/** A code span, a URL, a path, a file name, or an option. */
const NOT_PROSE =
  /`[^`]*`|\bhttps?:\/\/[^\s)>"']+|(?:[\w@.~*$-]*\/)+[\w.*$-]*\w\/?|(?<!\w)--[a-z][\w-]*|\b[\w-]+\.(?:md|ts|json|yaml|yml|toml|sh)\b/g;

const LINE_BREAK = /(?<!\n)\n(?!\s*\n)/g;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n\n', t: ' ' };

/** Supports paragraphs, headings, table cells and messages. */
export function toBlock(node: ProseNode, path: string): Block {
  const inSource = path.endsWith('.ts');
  const raw = collect(node, false);
  const plain = replace(raw, /\\(.)/g, (character = '') =>
    inSource ? (ESCAPES[character] ?? character) : character,
  );
  const joined = replace(plain, LINE_BREAK, () => ' ');
  const characters = replace(joined, NOT_PROSE, () => PLACEHOLDER);
  return {
    kind: node.kind ?? KINDS[node.type] ?? 'paragraph',
    path,
    text: textOf(characters),
    offsets: characters.map(({ offset }) => offset),
    linked: characters.map(({ linked }) => linked),
  };
}

function collect(node: ProseNode, linked: boolean): Character[] {
  return (node.children ?? []).flatMap((child) => {
    const [offset] = child.range;
    if (child.type === 'Str') {
      return child.raw
        .split('')
        .map((character, index) => ({ character, offset: offset + index, linked }));
    }
    if (WRAPPERS.has(child.type)) return collect(child, linked || child.type.startsWith('Link'));
    if (child.type === 'Html' || child.type === 'Comment') return [];
    return placeAt(child.type === 'Break' ? ' ' : PLACEHOLDER, offset, linked);
  });
}

function placeAt(text: string, offset: number, linked: boolean): Character[] {
  return text.split('').map((character) => ({ character, offset, linked }));
}

/** Replaces matches; `value` receives the first group. */
function replace(
  characters: readonly Character[],
  pattern: RegExp,
  value: (group: string | undefined) => string,
): Character[] {
  const result: Character[] = [];
  let end = 0;
  for (const match of textOf(characters).matchAll(pattern)) {
    const first = characters[match.index];
    result.push(...characters.slice(end, match.index));
    result.push(...placeAt(value(match[1]), first?.offset ?? 0, first?.linked ?? false));
    end = match.index + match[0].length;
  }
  return [...result, ...characters.slice(end)];
}

function textOf(characters: readonly Character[]): string {
  return characters.map(({ character }) => character).join('');
}
