/** `JSON.stringify` escapes unpaired surrogates and writes pairs literally. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** Replaces unpaired surrogates, which PostgreSQL rejects. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(HALF_PAIR, '$1\uFFFD');
}
