/** Pattern of personal data in queries. */
export interface PiiPattern {
  name: string;
  regex: string;
  /** `[<name>]` if absent. */
  replacement?: string;
}

/** In order: a longer number is not also a phone number. */
const BUILT_IN: readonly PiiPattern[] = [
  { name: 'email', regex: String.raw`[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}` },
  { name: 'ssn', regex: String.raw`\b\d{3}-\d{2}-\d{4}\b` },
  { name: 'credit-card', regex: String.raw`\b\d(?:[ -]?\d){12,18}\b` },
  { name: 'phone', regex: String.raw`(?<![\w.])\+?\(?\d{2,4}\)?(?:[ ./-]?\d{2,4}){2,4}(?![\w.])` },
];

export interface PiiRedaction {
  enabled: boolean;
  patterns: readonly PiiPattern[];
}

/** Maximum length of a recorded query, in characters. */
const MAX_QUERY = 1000;

/** Returns a function that replaces personal data in a query. */
export function createQueryRedaction({
  enabled,
  patterns,
}: PiiRedaction): (query: string) => string {
  const all = enabled ? [...BUILT_IN, ...patterns] : [];
  const replacements = all.map(({ name, regex, replacement = `[${name}]` }) => ({
    pattern: new RegExp(regex, 'giu'),
    replacement,
  }));
  return (query) => {
    const redacted = replacements.reduce(
      (text, { pattern, replacement }) => text.replaceAll(pattern, () => replacement),
      query,
    );
    return redacted.slice(0, MAX_QUERY).toWellFormed().replaceAll('\0', '\uFFFD');
  };
}
