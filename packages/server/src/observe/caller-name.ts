import { createHmac } from 'node:crypto';

export type CallerName = (subject: string) => string | undefined;

const MAX_KEPT = 10_000;
/** Number of hex digits in a hashed name: 64 bits. */
const HASH_DIGITS = 16;

export function createCallerName(form: 'hash' | 'subject' | 'none', key: string): CallerName {
  if (form === 'none') return () => undefined;
  if (form === 'subject') return (subject) => subject;
  const names = new Map<string, string>();
  return (subject) => {
    let name = names.get(subject);
    if (name === undefined) {
      name = createHmac('sha256', key).update(subject).digest('hex').slice(0, HASH_DIGITS);
      if (names.size >= MAX_KEPT) names.clear();
      names.set(subject, name);
    }
    return name;
  };
}
