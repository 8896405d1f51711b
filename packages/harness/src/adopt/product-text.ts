import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { findHiddenCharacter } from '@catalog/core/manifest/hidden-characters';
import { readYaml } from '@catalog/core/manifest/read-yaml';
import { formatOf } from '../managed/format-of.ts';
import { parseJsonDocument, toJson as fromJson } from '../managed/json/json-document.ts';
import { parseTomlDocument, toJson as fromToml } from '../managed/toml/toml-document.ts';
import { readYamlDocument } from '../managed/yaml/read-yaml-document.ts';
import { toJson as fromYaml } from '../managed/yaml/yaml-document.ts';
import type { SkippedContent } from './adopt-source.ts';
import type { FoundFile } from './candidate.ts';

export interface TextParts {
  values: JsonObject;
  body: string;
  /** True if the frontmatter is not valid YAML and was parsed by line. */
  by_lines?: true;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes text. Rejects text with invisible characters. */
export function textOf(bytes: Uint8Array): string | SkippedContent {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { left: 'it is not UTF-8 text' };
  }
  const hidden = findHiddenCharacter(text);
  return hidden === undefined ? text : { left: `it holds ${hidden.description}` };
}

/** Parses TOML by its file name, otherwise Markdown with optional frontmatter. */
export function readParts(text: string, path: string): TextParts | SkippedContent {
  if (formatOf(path) === 'markdown') return readMarkdown(text);
  const settings = readSettings(text, path);
  return 'left' in settings ? settings : { values: settings.values, body: '' };
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([^]*?)(?:^|(?<=\n))---[ \t]*(?:\r?\n|$)/;

/** Splits a document; the frontmatter includes both fences. */
export function splitFrontmatter(text: string): {
  head: string;
  frontmatter: string;
  body: string;
} {
  const [head = '', frontmatter = ''] = FRONTMATTER.exec(text) ?? [];
  return { head, frontmatter, body: text.slice(head.length) };
}

function readMarkdown(text: string): TextParts | SkippedContent {
  const { head, frontmatter, body } = splitFrontmatter(text);
  if (head === '') return { values: {}, body };
  const yaml = readYaml(frontmatter);
  if (yaml.kind === 'ok') return { values: yaml.values, body };
  const values = yaml.refusal.code === 'lint.invalid_yaml' ? readLines(frontmatter) : undefined;
  if (values !== undefined) return { values, body, by_lines: true };
  return { left: `its frontmatter cannot be read: ${lowered(yaml.refusal.message)}` };
}

const KEY_LINE = /^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*$/;

/** Parses `key: value` lines without interpreting values; undefined if a line has another form. */
function readLines(frontmatter: string): JsonObject | undefined {
  const values: JsonObject = Object.create(null);
  for (const line of frontmatter.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const [, key, value = ''] = KEY_LINE.exec(line) ?? [];
    if (key === undefined) return undefined;
    values[key] = plainValue(value);
  }
  return values;
}

function plainValue(text: string): Json {
  if (text === '') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  const [, quoted] = /^(?:"([^"\\]*)"|'[^']*')$/.exec(text) ?? [];
  return quoted ?? (text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text);
}

export function settingsOf({
  bytes,
  path,
}: Pick<FoundFile, 'bytes' | 'path'>): { values: JsonObject } | SkippedContent {
  const text = textOf(bytes);
  return typeof text === 'string' ? readSettings(text, path) : text;
}

export function memberAt(values: JsonObject, container: readonly string[]): JsonObject | undefined {
  let value: Json | undefined = values;
  for (const key of container) value = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** Parses settings. Every parser limits the nesting. */
function readSettings(text: string, path: string): { values: JsonObject } | SkippedContent {
  try {
    const value = parse(text, path);
    if (isJsonObject(value)) return { values: value };
    return value === undefined ? { values: {} } : { left: 'it is not an object with members' };
  } catch (error) {
    if (error instanceof CatalogError) return { left: `it cannot be read: ${error.message}` };
    throw error;
  }
}

function parse(text: string, path: string): Json | undefined {
  const format = formatOf(path);
  if (format === 'toml') return fromToml(parseTomlDocument(text, path).root);
  if (format === 'json') {
    const { root } = parseJsonDocument(text, path);
    return root === undefined ? undefined : fromJson(root);
  }
  const { root } = readYamlDocument(text, path);
  return root === undefined ? undefined : fromYaml(root);
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
