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
import { MAX_DEPTH, MAX_REFERENCES, preScan, type ScanLimits, type Seen } from './pre-scan.ts';
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

/**
 * An anchor on a collection that has a last step can be used only after it: the parser then refuses
 * a value that would hold itself.
 */
function finished<T>(collection: T): T {
  return collection;
}

/** Mappings without a prototype, whose keys are text. */
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
 * A number is read as one only if it writes back as it was written. `1.10` is a version and not 1.1,
 * `010` is not ten, twenty digits keep every digit, and `.inf` stays out of JSON. Whoever wants the
 * text of a number that is left gets the author's by writing it out again.
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

/** One level more than collections may have: their scalars. */
const PARSER_OPTIONS = { maxDepth: MAX_DEPTH + 1 };

/**
 * YAML from anyone's hands to plain values: the core schema with numbers that keep their text and
 * with merge keys; keys in source order, as far as JavaScript lets them (`"1"` goes first). An empty
 * document is an empty mapping. Never throws.
 *
 * One parser reads everything. Its events carry offsets, so that places, anchors and merge keys need
 * no second library on this path. The heavier one, `yaml`, is for rewriting; the tests hold the two
 * to the same values.
 */
export function readYaml(source: string): YamlReading {
  const plain = readPlainYaml(source);
  return plain === undefined ? parseYaml(source) : { kind: 'ok', values: plain };
}

/** Any YAML whose root is a mapping, by the parser. */
export function parseYaml(source: string): YamlReading {
  return parseRoot(source, isJsonObject, {
    code: 'lint.invalid_yaml',
    message: 'The YAML is not a mapping of keys to values.',
    fix: 'Write `key: value`, one per line.',
    offset: 0,
  });
}

/** YAML whose root is a list, or JSON of the same. An empty document is no list. */
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

/** `otherwise` refuses a root of another kind. */
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
    // The tags of the schema make nothing but what JSON has, so what is of another kind is no root.
    return isRoot(root) ? checkValues(source, root, isRoot, scanned.seen) : refused(otherwise);
  } catch (error) {
    return refused(explain(error, source));
  }
}

/** The parser may follow no more aliases than the scan has seen, should the two ever disagree. */
function parse(source: string, seen: Seen): unknown {
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
  seen: Seen,
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
  // An escape in a quoted text can spell what the text of the file may not hold.
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

/** Found only in the line after the one that has to be corrected. */
const NOT_CLOSED = 'deficient indentation';

const QUOTE_IT =
  'Quote strings that contain `: ` or ` #`, or that start with a character reserved by YAML.';

/** What the parser means, for someone who has never read its source. Found by how its reason starts. */
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

/** Why the parser refused a source. It asks its callers to expect more than its own exception. */
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
