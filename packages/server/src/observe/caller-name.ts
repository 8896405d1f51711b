import { createHmac } from 'node:crypto';

/** Returns the name of a subject in the access log; undefined if it has none. */
export type CallerName = (subject: string) => string | undefined;

const MAX_KEPT = 10_000;
/** 64 bits: enough to tell the callers of a registry apart. */
const HASH_DIGITS = 16;

/** Returns the form of subjects that `log.caller` selects. A hash is computed once for each subject. */
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
