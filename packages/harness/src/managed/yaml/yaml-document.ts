import type { Json, JsonObject } from '@catalog/core/json';
import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from 'js-yaml';
import { isLineBreak, skipBlanks } from '../lines.ts';
import type { Comment } from '../splices.ts';

/** Node of a YAML document; `end` is exclusive. */
export type YamlNode = YamlContainer | YamlScalar | YamlAlias;

interface Placed {
  /** Offset after the anchor. */
  start: number;
  end: number;
  anchor: string | undefined;
}

export interface YamlContainer extends Placed {
  kind: 'object' | 'array';
  flow: boolean;
  items: YamlItem[];
}

export interface YamlScalar extends Placed {
  kind: 'scalar';
  text: string;
  /** True if neither quoted nor a block, so that `1` is a number and an empty value is null. */
  plain: boolean;
}

export interface YamlAlias extends Placed {
  kind: 'alias';
  name: string;
}

export interface YamlItem {
  /** Key; undefined in a sequence, or if it is not a scalar. */
  key: string | undefined;
  /** Offset of the key, of the dash of a block sequence, or of the value in a flow sequence. */
  start: number;
  /** Offset after the key; in a sequence, equal to `start`. */
  key_end: number;
  value: YamlNode;
  /** Offset of the comma, in flow style. */
  comma: number | undefined;
}

export interface YamlDocument {
  text: string;
  /** Root; undefined in an empty file or one with only comments. */
  root: YamlNode | undefined;
  comments: Comment[];
  /** End of the last line with content, before an end marker. */
  content_end: number;
  /** End of a block scalar without a final line break; an added one would become part of it. */
  open_end: number | undefined;
}

export function getMember(map: YamlContainer, key: string): YamlItem | undefined {
  return map.items.find((item) => item.key === key);
}

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

export function isContainer(node: YamlNode): node is YamlContainer {
  return node.kind === 'object' || node.kind === 'array';
}

export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.plain && resolvePlain(node.text) === null;
}

export const MERGE_KEY = '<<';

/**
 * Converts a node with the core schema. Undefined if it contains an alias, a merge key or a key that is not a string.
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

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Returns the end of an item, with the comment on its last line and following comments with deeper indentation. */
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

export function hasComment({ comments }: YamlDocument, start: number, end: number): boolean {
  return comments.some((comment) => comment.start >= start && comment.end <= end);
}
