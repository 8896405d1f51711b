/** `JSON.stringify` writes half of a surrogate pair as an escape, and whole ones as they are. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** JSON whose texts PostgreSQL takes out again: half of a character becomes the sign for a missing one. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(HALF_PAIR, '$1\uFFFD');
}
