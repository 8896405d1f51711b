import type { Json } from '@catalog/core/json';
import { hasLineBreak, lineBreakOf, lineIndent } from '../lines.ts';
import type { JsonDocument, JsonNode } from './json-document.ts';

/** Formatting of a user's file, applied to added entries. */
export interface JsonStyle {
  eol: string;
  unit: string;
  spaced: boolean;
}

const DEFAULT_UNIT = '  ';
/** Maximum width of a list of scalars on one line. */
const MAX_LIST_WIDTH = 80;

export const NEW_FILE_STYLE: JsonStyle = { eol: '\n', unit: DEFAULT_UNIT, spaced: true };

/** Returns the formatting of a file; that of a new file if it shows none. */
export function detectStyle({ text, root }: JsonDocument): JsonStyle {
  const eol = lineBreakOf(text);
  if (root === undefined) return { ...NEW_FILE_STYLE, eol };
  return {
    eol,
    unit: detectUnit(text, root) ?? DEFAULT_UNIT,
    spaced: hasLineBreak(text) || !/"\s*:\S/.test(text),
  };
}

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

/** Returns true if the document is on one line; false for an empty file. */
export function isOneLine({ text, root }: JsonDocument): boolean {
  return (
    root !== undefined &&
    root.kind !== 'scalar' &&
    root.items.length > 0 &&
    !hasLineBreak(text.slice(root.start, root.end))
  );
}

/** Writes a value on several lines with `indent`, or on one line if it is undefined. */
export function writeValue(value: Json, indent: string | undefined, style: JsonStyle): string {
  return indent === undefined ? writeInline(value, style) : writeLines(value, indent, style);
}

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

/** Writes a value on several lines. The caller writes the indentation of the first one. */
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
    writeInline([...list], style).length <= MAX_LIST_WIDTH
  );
}
