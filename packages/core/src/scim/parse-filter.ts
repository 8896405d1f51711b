import { findAttribute, type Attribute, type ResourceType } from './attribute.ts';
import { findPath, type AttributePath } from './attribute-path.ts';
import {
  comparedAttribute,
  type CompareOperator,
  type CompareValue,
  type Filter,
} from './filter.ts';
import { readTokens, type Token } from './read-tokens.ts';
import { badRequest, shortenInput, type ScimError } from './scim-error.ts';

/** Limits of a filter; directories send filters of one line. */
const MAX_CHARACTERS = 4096;
const MAX_DEPTH = 20;
const MAX_TERMS = 100;

const OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
]);
const ORDERING: ReadonlySet<string> = new Set(['gt', 'ge', 'lt', 'le']);

type Resolve = (name: string) => AttributePath | undefined;

/** Parses a filter (RFC 7644, section 3.4.2.2). */
export function parseFilter(type: ResourceType, text: string): Filter {
  return new Parser(text, (name) => findPath(type, name)).parse();
}

export function parseValueFilter(attribute: Attribute, text: string): Filter {
  return new Parser(text, insideOf(attribute)).parse();
}

function insideOf({ subAttributes = [] }: Attribute): Resolve {
  return (name) => {
    const attribute = findAttribute(subAttributes, name);
    return attribute && { extension: undefined, attribute, sub: undefined };
  };
}

/** Parser of filters: `or` has the lowest precedence, then `and`, then `not`. */
class Parser {
  readonly #tokens: readonly Token[];
  #resolve: Resolve;
  #at = 0;
  #depth = 0;
  #terms = 0;

  constructor(text: string, resolve: Resolve) {
    if (text.length > MAX_CHARACTERS) {
      throw invalid(`The filter is longer than ${MAX_CHARACTERS} characters.`);
    }
    const tokens = readTokens(text);
    if (tokens === undefined) {
      throw invalid(
        `"${shortenInput(text)}" is not a valid filter: it contains an unexpected character.`,
      );
    }
    this.#tokens = tokens;
    this.#resolve = resolve;
  }

  parse(): Filter {
    const filter = this.#readAny();
    const next = this.#tokens[this.#at];
    if (next !== undefined)
      throw invalid(`Unexpected "${shortenInput(next.text)}" at the end of the filter.`);
    return filter;
  }

  #readAny(): Filter {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw invalid('The filter is nested too deeply.');
    const parts = [this.#readAll()];
    while (this.#takeWord('or')) parts.push(this.#readAll());
    this.#depth -= 1;
    return join('or', parts);
  }

  #readAll(): Filter {
    const parts = [this.#readTerm()];
    while (this.#takeWord('and')) parts.push(this.#readTerm());
    return join('and', parts);
  }

  #readTerm(): Filter {
    this.#terms += 1;
    if (this.#terms > MAX_TERMS) throw invalid(`The filter has more than ${MAX_TERMS} terms.`);
    if (this.#takeBracket('(')) return this.#readUntil(')');
    const token = this.#take();
    if (token?.kind !== 'word') throw this.#unexpected(token, 'an attribute');
    const isNot = token.text.toLowerCase() === 'not' && this.#takeBracket('(');
    if (isNot) return { kind: 'not', part: this.#readUntil(')') };
    const path = this.#resolve(token.text);
    if (path === undefined) throw invalid(`Unknown attribute "${shortenInput(token.text)}".`);
    return this.#takeBracket('[') ? this.#readValuePath(path) : this.#readComparison(path);
  }

  #readUntil(bracket: ')' | ']'): Filter {
    const filter = this.#readAny();
    if (!this.#takeBracket(bracket)) {
      throw this.#unexpected(this.#tokens[this.#at], `"${bracket}"`);
    }
    return filter;
  }

  /** Parses `emails[type eq "work"]`, also with a sub-attribute: `emails[type eq "work"].value eq "x"`. */
  #readValuePath(path: AttributePath): Filter {
    const { attribute, sub } = path;
    if (sub !== undefined || attribute.subAttributes === undefined) {
      throw invalid(`"${attribute.name}" has no sub-attributes to filter in brackets.`);
    }
    const outer = this.#resolve;
    this.#resolve = insideOf(attribute);
    let part = this.#readUntil(']');
    const behind = this.#tokens[this.#at];
    if (behind?.kind === 'word' && behind.text.startsWith('.')) {
      this.#at += 1;
      const inner = this.#resolve(behind.text.slice(1));
      if (inner === undefined) throw invalid(`Unknown attribute "${shortenInput(behind.text)}".`);
      part = join('and', [part, this.#readComparison(inner)]);
    }
    this.#resolve = outer;
    return { kind: 'value', path, part };
  }

  #readComparison(path: AttributePath): Filter {
    const token = this.#take();
    const word = token?.kind === 'word' ? token.text.toLowerCase() : '';
    if (word === 'pr') return { kind: 'present', path };
    if (!isOperator(word)) throw this.#unexpected(token, 'a comparison such as eq');
    const value = this.#readValue();
    checkComparison(path, word, value);
    return { kind: 'compare', path, operator: word, value };
  }

  #readValue(): CompareValue {
    const token = this.#take();
    const text = token?.kind === 'word' ? token.text.toLowerCase() : token?.text;
    if (token === undefined || token.kind === 'bracket' || text === undefined) {
      throw this.#unexpected(token, 'a value');
    }
    const value = readJsonValue(text);
    if (value === undefined) {
      throw invalid(
        `${shortenInput(token.text)} is not a valid value; strings need double quotes.`,
      );
    }
    return value;
  }

  #take(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    const isThere = token?.kind === 'word' && token.text.toLowerCase() === word;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #takeBracket(bracket: string): boolean {
    const token = this.#tokens[this.#at];
    const isThere = token?.kind === 'bracket' && token.text === bracket;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #unexpected(token: Token | undefined, wanted: string): ScimError {
    return invalid(
      token === undefined
        ? `The filter is incomplete: expected ${wanted}.`
        : `Unexpected "${shortenInput(token.text)}": expected ${wanted}.`,
    );
  }
}

function join(kind: 'and' | 'or', parts: readonly Filter[]): Filter {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

/** Parses a value. Rejects NUL and lone surrogates, which no stored string contains. */
function readJsonValue(text: string): CompareValue | undefined {
  try {
    const value: CompareValue = JSON.parse(text);
    const isBroken = typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
    return isBroken ? undefined : value;
  } catch {
    return undefined;
  }
}

function isOperator(word: string): word is CompareOperator {
  return OPERATORS.has(word);
}

/** Rejects an impossible comparison, which would otherwise have no results. */
function checkComparison(
  path: AttributePath,
  operator: CompareOperator,
  value: CompareValue,
): void {
  const { name, type } = comparedAttribute(path);
  if (type === 'complex') throw invalid(`"${name}" has sub-attributes; compare one of them.`);
  if (value === null || operator === 'eq' || operator === 'ne') {
    if (value !== null || operator === 'eq' || operator === 'ne') return;
    throw invalid(`"${operator}" needs a value to compare with.`);
  }
  const isText = typeof value === 'string' && type !== 'boolean';
  const isOrder = ORDERING.has(operator) && type !== 'binary';
  if (isText && (isOrder || !ORDERING.has(operator))) return;
  throw invalid(`"${operator}" cannot compare "${name}" with this value.`);
}

function invalid(detail: string): ScimError {
  return badRequest('invalidFilter', detail);
}
