/** Replacement for a credential. */
export const REDACTED = '[redacted]';

/** Removes credentials from responses of a server. */
export interface Redaction {
  /** Removes credentials from prose, including parts of at least eight characters. */
  words(text: string): string;
  identifiers(text: string): string;
  /**
   * Removes whole credentials from a value. Parts stay, because an identifier may contain one by chance and a file must
   * match its hash.
   */
  value(value: unknown): unknown;
}

const PART = 8;
/** Minimum length of a secret; a shorter one is probably an ordinary word. */
const MIN_SECRET = 4;

const FILES: ReadonlySet<string> = new Set(['manifest_body', 'skill_body', 'resources', 'inline']);

/** Redaction without secrets, which changes nothing. */
export const NO_REDACTION: Redaction = {
  words: (text) => text,
  identifiers: (text) => text,
  value: (value) => value,
};

/** Creates a redaction of secrets, which are ASCII because a header or form contains them. */
export function openRedaction(secrets: readonly string[]): Redaction {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET);
  if (long.length === 0) return NO_REDACTION;
  const spellings = [...new Set(long.flatMap(spellingsOf))];
  let parts: ReadonlySet<string> | undefined;

  function words(text: string): string {
    parts ??= new Set(spellings.flatMap(partsOf));
    return replaceParts(identifiers(text), parts);
  }

  function identifiers(text: string): string {
    return spellings.reduce((rest, spelling) => rest.replaceAll(spelling, REDACTED), text);
  }

  function redactAll(value: unknown, redact: (text: string) => string): unknown {
    if (typeof value === 'string') return /\s/.test(value) ? redact(value) : identifiers(value);
    if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => {
      return [identifiers(key), redactAll(member, FILES.has(key) ? identifiers : redact)];
    });
    return Object.fromEntries(members);
  }

  return { words, identifiers, value: (value) => redactAll(value, words) };
}

function spellingsOf(secret: string): string[] {
  const codes = Array.from(secret, (character) => (character.codePointAt(0) ?? 0).toString(16));
  const hex = codes.map((code) => code.padStart(2, '0'));
  const percent = hex.map((code) => `%${code}`).join('');
  const base64 = [0, 1, 2].map((offset) => toBase64(secret, offset));
  return [
    secret,
    encodeURIComponent(secret),
    percent,
    percent.toUpperCase(),
    hex.join(''),
    hex.join('').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ].filter((spelling) => spelling.length >= MIN_SECRET);
}

/** Returns the base64 characters of a secret at an offset, without those that depend on other bytes. */
function toBase64(secret: string, offset: number): string {
  // Other characters cannot be part of a header.
  const bytes = secret.replaceAll(/[^\0-\xFF]/g, '');
  const whole = btoa(' '.repeat(offset) + bytes).replace(/=+$/, '');
  const known = Math.floor(((offset + bytes.length) * 8) / 6);
  return whole.slice(Math.ceil((offset * 8) / 6), known);
}

function partsOf(spelling: string): string[] {
  return Array.from({ length: Math.max(0, spelling.length - PART + 1) }, (_, at) =>
    spelling.slice(at, at + PART),
  );
}

function replaceParts(text: string, parts: ReadonlySet<string>): string {
  let result = '';
  let kept = 0;
  let at = 0;
  while (at + PART <= text.length) {
    if (!parts.has(text.slice(at, at + PART))) {
      at += 1;
      continue;
    }
    let end = at + PART;
    while (parts.has(text.slice(end - PART + 1, end + 1))) end += 1;
    result += text.slice(kept, at) + REDACTED;
    kept = end;
    at = end;
  }
  return result + text.slice(kept);
}
