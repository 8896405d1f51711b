/** Parses pairs in the format of `OTEL_*` variables, with percent-encoded values. */
export function parsePairs(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = PAIR.exec(part.trim()) ?? [];
    const decoded = decode(value);
    if (name === '' || decoded === undefined || CONTROL.test(decoded)) return undefined;
    pairs[name] = decoded;
  }
  return pairs;
}

/** Names are valid HTTP header names, which include all OpenTelemetry attributes. */
const PAIR = /^([\w!#$%&'*+.^`|~-]{1,256})\s*=\s*(.*)$/;
const CONTROL = /[^\x20-\x7e]/;

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
