import type { Json, JsonObject } from '../json.ts';

/**
 * Most frontmatter is `key: text`, `key: [a, b]` and lists of texts. This reads just that, eight
 * times faster than a YAML parser, which counts when a catalogue has ten thousand manifests. Whatever
 * could mean anything else, or nothing, is not for it: it answers undefined and the parser decides. A
 * property test holds it to the parser's values.
 */
export function readPlainYaml(source: string): JsonObject | undefined {
  if (source.length > LONGEST || !READABLE.test(source)) return undefined;
  const lines = source.split('\n');
  if (lines.length > MOST_LINES) return undefined;
  const values: JsonObject = Object.create(null);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0));
    if (!KEY.test(key) || key in values || RESERVED_KEY.test(key)) return undefined;
    let value: Json | undefined;
    if (colon === line.length - 1) {
      const list = readList(lines, index + 1);
      if (list === undefined) return undefined;
      value = list.length === 0 ? null : list;
      index += list.length;
    } else {
      value = line.charCodeAt(colon + 1) === SPACE ? readValue(line.slice(colon + 2)) : undefined;
    }
    if (value === undefined) return undefined;
    values[key] = value;
  }
  return values;
}

const LONGEST = 8192;
const MOST_LINES = 200;
const SPACE = 0x20;

/** No tab, carriage return, control character, odd line break or surrogate: nothing with rules of its own. */
const READABLE = /^[\n\x20-\x7e\u00a0-\u2027\u202f-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;
const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Keys YAML reads as something other than text, and those JavaScript keeps for itself. */
const RESERVED_KEY = /^(?:null|true|false|__proto__|constructor|prototype)$/i;

/** The texts of a block list, as many as there are lines of it; undefined where a line is more than that. */
function readList(lines: readonly string[], first: number): Json[] | undefined {
  const items: Json[] = [];
  let indent = -1;
  for (let index = first; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const dash = line.indexOf('- ');
    if (dash === -1 || !isBlank(line, dash)) break;
    if (indent === -1) indent = dash;
    const item = dash === indent ? readScalar(line.slice(dash + 2)) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function isBlank(line: string, end: number): boolean {
  for (let index = 0; index < end; index += 1) if (line.charCodeAt(index) !== SPACE) return false;
  return true;
}

function readValue(text: string): Json | undefined {
  return text.startsWith('[') ? readFlowList(text) : readScalar(text);
}

const FLOW_ITEM = /^[A-Za-z0-9_][A-Za-z0-9_./+-]*$/;

function readFlowList(text: string): Json[] | undefined {
  if (text === '[]') return [];
  if (!text.endsWith(']')) return undefined;
  const items: Json[] = [];
  for (const part of text.slice(1, -1).split(',')) {
    const word = part.trim();
    const item = FLOW_ITEM.test(word) ? readPlain(word) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

const QUOTED = /^(?:"[^"\\]*"|'[^']*')$/;
/** A first character that is no sign of YAML's. */
const PLAIN_START = /^[A-Za-z0-9_/\u00a0-\uffff]/;

function readScalar(text: string): Json | undefined {
  if (QUOTED.test(text)) return text.slice(1, -1);
  if (!PLAIN_START.test(text) || text.endsWith(' ') || text.endsWith(':')) return undefined;
  if (text.includes(': ') || text.includes(' #')) return undefined;
  return readPlain(text);
}

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+$/;
const STARTS_LIKE_A_NUMBER = /^[0-9]/;
/** Words YAML reads as something other than text. */
const WORD_OF_YAML = /^(?:null|true|false)$/i;

function readPlain(text: string): Json | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (WORD_OF_YAML.test(text)) return undefined;
  if (!STARTS_LIKE_A_NUMBER.test(text) || VERSION.test(text)) return text;
  return WHOLE_NUMBER.test(text) ? Number(text) : undefined;
}
