import type { Json } from '@catalog/core/json';
import { hasLineBreak, lineBreakOf, lineIndent } from '../lines.ts';
import type { JsonDocument, JsonNode } from './json-document.ts';

/** How a person lays out a JSON file, so that what is added looks like theirs. */
export interface JsonStyle {
  eol: string;
  /** One level of indentation. */
  unit: string;
  /** Spaces behind colons and commas. */
  spaced: boolean;
}

const DEFAULT_UNIT = '  ';
/** A list of plain values stays on one line up to this width. */
const WIDEST_LIST = 80;

/** How catalog lays out a file of its own. */
export const NEW_FILE_STYLE: JsonStyle = { eol: '\n', unit: DEFAULT_UNIT, spaced: true };

/** The layout a file shows; the one of a new file where it shows none. */
export function detectStyle({ text, root }: JsonDocument): JsonStyle {
  const eol = lineBreakOf(text);
  if (root === undefined) return { ...NEW_FILE_STYLE, eol };
  return {
    eol,
    unit: detectUnit(text, root) ?? DEFAULT_UNIT,
    spaced: hasLineBreak(text) || !/"\s*:\S/.test(text),
  };
}

/** The first step inwards that the file itself shows. */
function detectUnit(text: string, node: JsonNode): string | undefined {
  if (node.kind === 'scalar') return undefined;
  const outer = lineIndent(text, node.start);
  for (const item of node.items) {
    const inner = lineIndent(text, item.start);
    if (inner.length > outer.length && inner.startsWith(outer)) return inner.slice(outer.length);
    const unit = detectUnit(text, item.value);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** A file written on one line stays on one line; an empty one has no such habit. */
export function isOneLine({ text, root }: JsonDocument): boolean {
  return (
    root !== undefined &&
    root.kind !== 'scalar' &&
    root.items.length > 0 &&
    !hasLineBreak(text.slice(root.start, root.end))
  );
}

/** The value over lines from `indent` on, or on one line where it is undefined. */
export function writeValue(value: Json, indent: string | undefined, style: JsonStyle): string {
  return indent === undefined ? writeInline(value, style) : writeLines(value, indent, style);
}

/** The value on one line. */
function writeInline(value: Json, style: JsonStyle): string {
  if (!style.spaced || typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${value.map((element) => writeInline(element, style)).join(', ')}]`;
  }
  const members = Object.keys(value).map(
    (key) => `${JSON.stringify(key)}: ${writeInline(value[key] ?? null, style)}`,
  );
  return `{${members.join(', ')}}`;
}

/** The value over several lines, its first one begun by the caller at `indent`. */
export function writeLines(value: Json, indent: string, style: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + style.unit;
  const separator = `,${style.eol}${inner}`;
  if (Array.isArray(value)) {
    if (isShortList(value, style)) return writeInline(value, style);
    const elements = value.map((element) => writeLines(element, inner, style));
    return `[${style.eol}${inner}${elements.join(separator)}${style.eol}${indent}]`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  const members = keys.map(
    (key) => `${JSON.stringify(key)}: ${writeLines(value[key] ?? null, inner, style)}`,
  );
  return `{${style.eol}${inner}${members.join(separator)}${style.eol}${indent}}`;
}

function isShortList(list: readonly Json[], style: JsonStyle): boolean {
  return (
    list.every((element) => typeof element !== 'object' || element === null) &&
    writeInline([...list], style).length <= WIDEST_LIST
  );
}
