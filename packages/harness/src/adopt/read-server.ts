import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { findSecret } from '@catalog/core/lint/secrets';
import type { McpConfig } from '../adapter.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import { readMcpServer } from '@catalog/core/artifact/mcp-server';
import { readLimits } from '../place/server-limits.ts';
import type { SkippedContent } from './adopt-source.ts';

export interface ServerReading {
  fields: JsonObject;
  changes: string[];
}

export interface ServerForm {
  entry: McpConfig['entry'];
  limits?: McpConfig['limits'];
  common: (entry: JsonObject) => JsonObject;
}

const ADDRESSES = ['url', 'httpUrl', 'http_url', 'serverUrl'];
const MAPS = { env: ['env', 'environment'], headers: ['headers'] };
/** Members that repeat others or have no effect. */
const IMPLIED = new Set(['type', 'transport', 'enabled', 'disabled']);

/** Transports to try; the first one that reproduces the entry is used. */
const TRANSPORTS = [undefined, 'stdio', 'http', 'sse', 'ws', 'streamable-http'];

/**
 * Converts a server. `entry` writes each candidate like the adapter, to find the transport and what would be lost. A
 * secret is replaced by a reference.
 */
export function readServer(
  name: string,
  given: JsonObject,
  { entry, limits, common }: ServerForm,
): ServerReading | SkippedContent {
  if (given['enabled'] === false || given['disabled'] === true) {
    return { left: 'it is switched off there' };
  }
  const changes: string[] = [];
  const spelling = new Spelling(name, changes);
  const plain = common(given);
  const fields = fieldsOf(plain, spelling);
  if (fields === undefined) return { left: 'it has neither a command nor an address' };
  const compared = (value: JsonObject): JsonObject =>
    respelled(common(value), new Spelling(name, []));
  const wanted = compared(given);
  const limited = { ...fields, ...readLimits(given, limits) };
  const rendered = TRANSPORTS.map((transport) => {
    const candidate = { ...limited, ...(transport === undefined ? {} : { transport }) };
    const lost = differingMembers(wanted, compared(renderedBy(entry, candidate)));
    return { fields: candidate, lost };
  });
  const [best] = rendered.toSorted((a, b) => a.lost.length - b.lost.length);
  if (best === undefined) return { left: 'it cannot be written as a server' };
  const lost = best.lost.filter((member) => !IMPLIED.has(member));
  if (lost.length > 0) changes.push(`not kept: ${lost.join(', ')}`);
  return { fields: best.fields, changes };
}

/** Returns true for a secret, or a default that may be one. */
export function holdsSecret(members: JsonObject): boolean {
  const spelling = new Spelling('', []);
  respelled(members, spelling);
  return spelling.dropped_literal;
}

/** Changes of a server, each reported once. */
class Spelling {
  readonly #name: string;
  readonly #changes: string[];
  dropped_literal = false;

  constructor(name: string, changes: string[]) {
    this.#name = name;
    this.#changes = changes;
  }

  of(value: string, member: string): string {
    const referred = value.replaceAll(REFERENCE, (whole, ...groups: (string | undefined)[]) => {
      const variable = groups.slice(0, 4).find((group) => group !== undefined);
      if (variable === undefined || isPlain(whole)) return whole;
      // A default can be the secret itself, so it is not shown.
      const from = whole.includes(':-') ? `\${${variable}:-...}` : whole;
      this.dropped_literal ||= from !== whole;
      const lost = from === whole ? '' : ', and its default is not kept';
      this.#note(`${from} is \${secret:${variable}}${lost}`);
      return `\${secret:${variable}}`;
    });
    const secret = findSecret(referred, member) ?? OPAQUE.exec(referred)?.[0];
    if (secret === undefined) return referred;
    this.dropped_literal = true;
    const variable = variableName(this.#name, member);
    this.#note(`the literal in ${member} looks like a secret and is \${secret:${variable}}`);
    return referred.replace(secret, () => `\${secret:${variable}}`);
  }

  /** Converts an argument. The one before it, or the part before `=`, is its name. */
  word(word: string, before: string): string {
    const [, flag, value] = /^(-{1,2}[\w.-]+)=(.*)$/s.exec(word) ?? [];
    // A flag with a value does not name the next argument.
    if (flag === undefined || value === undefined) {
      return this.of(word, before.includes('=') ? '' : before);
    }
    return `${flag}=${this.of(value, flag)}`;
  }

  #note(change: string): void {
    if (!this.#changes.includes(change)) this.#changes.push(change);
  }
}

/** Values that look generated. A wrong match costs a reference; a missed one reveals a secret. */
const OPAQUE =
  /^(?:(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/=~-]{20,}|[\da-f]{32,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/**
 * Reference to an environment variable: `${NAME}` and `${env:NAME}`, with or without a default, `{env:NAME}`, `$NAME`.
 */
const REFERENCE =
  /\$\{(?!secret:)(?:env:)?([A-Za-z_]\w*)\}|\$\{([A-Za-z_]\w*):-[^}]*\}|\{env:([A-Za-z_]\w*)\}|(?<![\w$])\$([A-Z_][A-Z0-9_]*)\b/g;

/** Returns true for standard environment variables, which contain no secrets. */
function isPlain(reference: string): boolean {
  return /^\$?\{?(?:env:)?(?:HOME|USER|LOGNAME|PWD|SHELL|TMPDIR)(?::-[\w./ -]*)?\}?$/.test(
    reference,
  );
}

/** Returns a variable name, with the name of the server if the member is too general. */
function variableName(server: string, member: string): string {
  const own = /^[A-Z][A-Z0-9_]*$/.test(member) ? member : `${server}_${member}`;
  const name = own.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

function fieldsOf(given: JsonObject, spelling: Spelling): JsonObject | undefined {
  const address = ADDRESSES.map((key) => given[key]).find((value) => typeof value === 'string');
  const { command } = given;
  const words = Array.isArray(command) ? command : [command, ...listOf(given['args'])];
  const texts = words.filter((word) => typeof word === 'string');
  if (typeof address === 'string' && command === undefined) {
    const url = spelling.of(address, 'url');
    return { url, ...mapOf('headers', given, spelling) };
  }
  if (command === undefined || texts.length !== words.length || texts.length === 0) {
    return undefined;
  }
  const [program = '', ...args] = texts;
  return {
    command: spelling.of(program, 'command'),
    ...(args.length === 0
      ? {}
      : { args: args.map((word, at) => spelling.word(word, args[at - 1] ?? '')) }),
    ...mapOf('env', given, spelling),
  };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(field: keyof typeof MAPS, given: JsonObject, spelling: Spelling): JsonObject {
  const map = MAPS[field].map((key) => given[key]).find(isJsonObject);
  const members = Object.entries(map ?? {}).flatMap(([key, value]) =>
    isScalar(value) ? [[key, spelling.of(String(value), key)] as const] : [],
  );
  return members.length === 0 ? {} : { [field]: Object.fromEntries(members) };
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function renderedBy(entry: McpConfig['entry'], fields: JsonObject): JsonObject {
  const server = readMcpServer({ type: 'mcp-server', version: '', ...fields });
  return server === undefined ? {} : entry(server);
}

/** Returns differing members, including those that one side lacks. */
function differingMembers(one: JsonObject, other: JsonObject): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter(
    (key) => canonicalJson(one[key] ?? null) !== canonicalJson(other[key] ?? null),
  );
}

function respelled(entry: JsonObject, spelling: Spelling): JsonObject {
  const visit = (value: Json, member: string): Json => {
    if (isScalar(value)) return spelling.of(String(value), member);
    if (Array.isArray(value)) {
      return value.map((item, at) => {
        const before = value[at - 1];
        if (typeof item !== 'string') return visit(item, '');
        return spelling.word(item, typeof before === 'string' ? before : '');
      });
    }
    return isJsonObject(value) ? mapMembers(value, visit) : value;
  };
  return mapMembers(entry, visit);
}

function mapMembers(object: JsonObject, visit: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, visit(value, key)]));
}
