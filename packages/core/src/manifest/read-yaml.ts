import {
  CORE_SCHEMA,
  NOT_RESOLVED,
  YAMLException,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  floatCoreTag,
  intCoreTag,
  mapTag,
  mergeTag,
  parseEvents,
  seqTag,
  type ScalarTagDefinition,
} from 'js-yaml';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { expandAliases } from './expand-aliases.ts';
import { findOpening } from './find-opening.ts';
import { findHiddenCharacter } from './hidden-characters.ts';
import { offsetOf, type ValuePath } from './locate.ts';
import {
  MAX_DEPTH,
  MAX_REFERENCES,
  preScan,
  type ScanLimits,
  type ReferenceCounts,
} from './pre-scan.ts';
import { readPlainYaml } from './plain-yaml.ts';
import type { Refusal } from './refusal.ts';

export type YamlReading =
  | { kind: 'ok'; values: JsonObject }
  | { kind: 'refused'; refusal: Refusal };

export type YamlListReading =
  | { kind: 'ok'; values: Json[] }
  | { kind: 'refused'; refusal: Refusal };

const KEY_NOT_TEXT = 'a key is not a string';
const KEY_FORBIDDEN = 'a key has a name that JavaScript reserves';
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Makes anchors usable only after their collection ends, so that a value cannot contain itself. */
function finished<T>(collection: T): T {
  return collection;
}

const plainMapTag = defineMappingTag<Record<string, unknown>>(mapTag.tagName, {
  create: (): Record<string, unknown> => Object.create(null),
  addPair: (values, key, value) => {
    if (typeof key !== 'string') return KEY_NOT_TEXT;
    if (FORBIDDEN_KEYS.has(key)) return KEY_FORBIDDEN;
    values[key] = value;
    return '';
  },
  has: (values, key) => typeof key === 'string' && Object.hasOwn(values, key),
  keys: (values) => Object.keys(values),
  get: (values, key) => values[String(key)],
  finalize: finished,
  identify: isJsonObject,
});

const plainSequenceTag = defineSequenceTag<unknown[]>(seqTag.tagName, {
  create: () => [],
  addItem: (items, item) => {
    items.push(item);
  },
  finalize: finished,
  identify: Array.isArray,
});

/**
 * Parses a number only if formatting it returns the same string. The version `1.10`, `010` and long numbers stay
 * strings, and so does `.inf`, which JSON lacks.
 */
function lossless(tag: ScalarTagDefinition<number>): ScalarTagDefinition<number> {
  return defineScalarTag<number>(tag.tagName, {
    implicit: true,
    implicitFirstChars: tag.implicitFirstChars,
    resolve: (source, isExplicit, tagName) => {
      const value = tag.resolve(source, isExplicit, tagName);
      return value !== NOT_RESOLVED && String(value) === source ? value : NOT_RESOLVED;
    },
    identify: tag.identify,
    represent: tag.represent,
  });
}

const SCHEMA = CORE_SCHEMA.withTags(
  plainMapTag,
  plainSequenceTag,
  lossless(intCoreTag),
  lossless(floatCoreTag),
  mergeTag,
);

/** One level more than for collections, for their scalars. */
const PARSER_OPTIONS = { maxDepth: MAX_DEPTH + 1 };

/**
 * Parses untrusted YAML with the core schema and merge keys. Keys are in the order of the source, except that
 * JavaScript moves integer keys such as `"1"` to the front. An empty document is an empty mapping. Never throws. Tests
 * check that the `yaml` library, which rewrites files, returns the same values.
 */
export function readYaml(source: string): YamlReading {
  const plain = readPlainYaml(source);
  return plain === undefined ? parseYaml(source) : { kind: 'ok', values: plain };
}

export function parseYaml(source: string): YamlReading {
  return parseRoot(source, isJsonObject, {
    code: 'lint.invalid_yaml',
    message: 'The YAML is not a mapping of keys to values.',
    fix: 'Write `key: value`, one per line.',
    offset: 0,
  });
}

/** Parses a YAML list. An empty document is an error. */
export function readYamlList(source: string, limits?: ScanLimits): YamlListReading {
  return parseRoot(source, isJsonList, NO_LIST, limits);
}

const NO_LIST: Refusal = {
  code: 'lint.invalid_yaml',
  message: 'The YAML is not a list.',
  fix: 'Start each entry with `- ` at the beginning of a line.',
  offset: 0,
};

function isJsonList(value: unknown): value is Json[] {
  return Array.isArray(value);
}

type RootReading<Root> = { kind: 'ok'; values: Root } | { kind: 'refused'; refusal: Refusal };

function parseRoot<Root extends Json>(
  source: string,
  isRoot: (value: unknown) => value is Root,
  otherwise: Refusal,
  limits?: ScanLimits,
): RootReading<Root> {
  const scanned = preScan(source, limits);
  if (scanned.kind === 'refused') return scanned;
  try {
    const root = parse(source, scanned.seen);
    // The schema has only tags for JSON values, so anything else is an invalid root.
    return isRoot(root) ? checkValues(source, root, isRoot, scanned.seen) : refused(otherwise);
  } catch (error) {
    return refused(explain(error, source));
  }
}

/** Parses. Fails if the parser finds more aliases than the scan did. */
function parse(source: string, seen: ReferenceCounts): unknown {
  const events = parseEvents(source, PARSER_OPTIONS);
  const documents = constructFromEvents(events, {
    source,
    schema: SCHEMA,
    maxAliases: seen.aliases,
    maxTotalMergeKeys: MAX_REFERENCES * MAX_REFERENCES,
  });
  return documents.length === 0 ? Object.create(null) : documents[0];
}

function checkValues<Root extends Json>(
  source: string,
  root: Root,
  isRoot: (value: unknown) => value is Root,
  seen: ReferenceCounts,
): RootReading<Root> {
  const values = seen.aliases === 0 ? root : expandAliases(root);
  if (!isRoot(values)) {
    return refused({
      code: 'lint.frontmatter_limit',
      message: 'The aliases expand to more than the limit for a manifest.',
      fix: 'Repeat the values instead.',
      offset: 0,
    });
  }
  // Escapes in quoted strings can contain characters that the file itself must not.
  const hidden = source.includes('\\') ? findHiddenValue(values, []) : undefined;
  if (hidden === undefined) return { kind: 'ok', values };
  return refused({
    code: 'lint.hidden_character',
    message: `An escape sequence encodes ${hidden.description}.`,
    fix: 'Remove the escape sequence.',
    offset: offsetOf(source, hidden.path) ?? 0,
  });
}

interface HiddenValue {
  path: ValuePath;
  description: string;
}

function findHiddenValue(value: Json, path: ValuePath): HiddenValue | undefined {
  if (typeof value === 'string') return hiddenText(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    const found = hiddenText(key, [...path, step]) ?? findHiddenValue(member, [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hiddenText(text: string, path: ValuePath): HiddenValue | undefined {
  if (!text.isWellFormed()) return { path, description: 'half of a surrogate pair' };
  const hidden = findHiddenCharacter(text);
  return hidden === undefined ? undefined : { path, description: hidden.description };
}

/** Problem that the parser reports on the line after its cause. */
const NOT_CLOSED = 'deficient indentation';

const QUOTE_IT =
  'Quote strings that contain `: ` or ` #`, or that start with a character reserved by YAML.';

/** Explanations of parser errors, by the start of their reason. */
const EXPLANATIONS: readonly (readonly [reason: string, message: string, fix: string])[] = [
  [
    KEY_NOT_TEXT,
    'A key is a number, a boolean, or a collection.',
    'Use a string as the key; quote it if necessary.',
  ],
  [KEY_FORBIDDEN, 'A key is `__proto__`, `constructor` or `prototype`.', 'Choose another key.'],
  ['duplicated mapping key', 'The same key is given twice.', 'Keep one of the two.'],
  [
    'nesting exceeded',
    `Values are nested more than ${MAX_DEPTH} levels deep.`,
    'Flatten the value.',
  ],
  [
    'bad indentation of a mapping entry',
    'This line neither continues the previous value nor starts a new key.',
    `${QUOTE_IT} Align the keys of a mapping.`,
  ],
  [
    NOT_CLOSED,
    'A quoted string or a bracket is not closed.',
    'Close it, or indent its continuation lines.',
  ],
  [
    'unidentified alias',
    'A string that starts with `*` is an alias, but no anchor has that name.',
    'Quote the string.',
  ],
  ['recursive alias', 'A value contains itself through an alias.', 'Repeat the value instead.'],
  [
    'unknown escape sequence',
    'Unknown escape sequence after a backslash in double quotes.',
    'Use single quotes, or double the backslash.',
  ],
];

/** Explains a parser error. The parser may also throw exceptions of other types. */
export function explain(error: unknown, source: string): Refusal {
  const reason = error instanceof YAMLException ? error.reason : String(error);
  const noticed = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0;
  const opening = reason.startsWith(NOT_CLOSED) ? findOpening(source, noticed) : undefined;
  const offset = opening ?? noticed;
  const known = EXPLANATIONS.find(([start]) => reason.startsWith(start));
  return known === undefined
    ? {
        code: 'lint.invalid_yaml',
        message: `This is not valid YAML: ${reason}.`,
        fix: QUOTE_IT,
        offset,
      }
    : { code: 'lint.invalid_yaml', message: known[1], fix: known[2], offset };
}

function refused(refusal: Refusal): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal };
}
