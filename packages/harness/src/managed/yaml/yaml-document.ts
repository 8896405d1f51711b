import type { Json, JsonObject } from '@catalog/core/json';
import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from 'js-yaml';
import { isLineBreak, skipBlanks } from '../lines.ts';
import type { Comment } from '../splices.ts';

/** A value and where it stands; `end` is the offset behind its last character. */
export type YamlNode = YamlContainer | YamlScalar | YamlAlias;

interface Placed {
  /** Of the value itself, behind an anchor. */
  start: number;
  end: number;
  /** The name others may repeat it by. */
  anchor: string | undefined;
}

/** A mapping or a sequence, with the names the JSON editor has for them. */
export interface YamlContainer extends Placed {
  kind: 'object' | 'array';
  /** Written between brackets. */
  flow: boolean;
  items: YamlItem[];
}

/** A value without parts. */
export interface YamlScalar extends Placed {
  kind: 'scalar';
  text: string;
  /** Neither quoted nor a block, so that `1` is a number and nothing at all is null. */
  plain: boolean;
}

/** A value that stands somewhere else. */
export interface YamlAlias extends Placed {
  kind: 'alias';
  name: string;
}

/** A member of a mapping or an element of a sequence. */
export interface YamlItem {
  /** The text of the key; undefined in a sequence, and where the key is no scalar. */
  key: string | undefined;
  /** Where the key begins, the dash of a block sequence, or the value of a flow sequence. */
  start: number;
  /** The offset behind the key; in a sequence that of `start`. */
  key_end: number;
  value: YamlNode;
  /** In flow style, the offset of the comma behind it. */
  comma: number | undefined;
}

/** One YAML document as a person writes it, with the place of everything an edit must not touch. */
export interface YamlDocument {
  text: string;
  /** Undefined in a file that holds nothing, or only comments. */
  root: YamlNode | undefined;
  comments: Comment[];
  /** The end of the last line that is not blank, before the sign that ends the document. */
  content_end: number;
  /**
   * The end of a block text that the end of the file cuts short: a line break behind it would become
   * a part of it.
   */
  open_end: number | undefined;
}

/** The member of a mapping by its name. */
export function getMember(map: YamlContainer, key: string): YamlItem | undefined {
  return map.items.find((item) => item.key === key);
}

/** The mapping or sequence at a path of member names. */
export function getContainer(
  root: YamlContainer,
  path: readonly string[],
): YamlContainer | undefined {
  let node = root;
  for (const name of path) {
    const value = node.kind === 'object' ? getMember(node, name)?.value : undefined;
    if (value === undefined || !isContainer(value)) return undefined;
    node = value;
  }
  return node;
}

/** Whether a value is a mapping or a sequence. */
export function isContainer(node: YamlNode): node is YamlContainer {
  return node.kind === 'object' || node.kind === 'array';
}

/** Whether nothing stands where a value could, or a null does. */
export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.plain && resolvePlain(node.text) === null;
}

/** The key that takes in the members of another mapping. */
export const MERGE_KEY = '<<';

/**
 * The value a node stands for, by the core schema; undefined where an alias, a merge key or a key that
 * is not text is a part of it, which nothing catalog writes has.
 */
export function toJson(node: YamlNode): Json | undefined {
  if (node.kind === 'alias') return undefined;
  if (node.kind === 'scalar') return node.plain ? resolvePlain(node.text) : node.text;
  if (node.kind === 'array') {
    const list = node.items.map(({ value }) => toJson(value));
    return list.every((element) => element !== undefined) ? list : undefined;
  }
  const object: JsonObject = Object.create(null);
  for (const { key, value } of node.items) {
    const member = toJson(value);
    if (key === undefined || key === MERGE_KEY || member === undefined) return undefined;
    object[key] = member;
  }
  return object;
}

const PLAIN_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag] as const;

function resolvePlain(text: string): Json {
  for (const tag of PLAIN_TAGS) {
    const value = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return text;
}

/** How far an offset is from the beginning of its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Where the line begins on which an offset lies. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/**
 * Where a block item ends for a person: behind the comment on its last line, and behind comments below
 * it that are indented deeper than it, up to the end of their line.
 */
export function itemEnd({ text, comments }: YamlDocument, item: YamlItem): number {
  const column = columnOf(text, item.start);
  let end = item.value.end;
  for (const comment of comments) {
    if (comment.start < end) continue;
    const gap = text.slice(end, comment.start);
    if (gap.trim() !== '') break;
    if (/[\r\n]/.test(gap) && columnOf(text, comment.start) <= column) break;
    end = comment.end;
  }
  return skipBlanks(text, end);
}

/** Whether a person has put a comment between two offsets. */
export function hasComment({ comments }: YamlDocument, start: number, end: number): boolean {
  return comments.some((comment) => comment.start >= start && comment.end <= end);
}
