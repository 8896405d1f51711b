/** Uses the format of `OTEL_*` variables: values can be percent-encoded. */
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

/** Names are header names; attributes of OpenTelemetry are a subset. */
const PAIR = /^([\w!#$%&'*+.^`|~-]{1,256})\s*=\s*(.*)$/;
const CONTROL = /[^\x20-\x7e]/;

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
