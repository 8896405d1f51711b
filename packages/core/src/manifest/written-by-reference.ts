import { EVENT_ID, parseEvents } from 'js-yaml';
import { findMember } from './locate.ts';

/**
 * Returns true if a top-level key has its value through a merge key, an alias or an anchor, so that
 * other parts of the source may hold the same value. The key must be in the parsed values.
 */
export function isWrittenByReference(source: string, key: string): boolean {
  // An alias needs an anchor, and both an anchor and a merge key have their sign.
  if (!source.includes('&') && !source.includes('<<')) return false;
  const events = parseEvents(source, {});
  // The first event opens the document, the second its root.
  const member = findMember(events, 1, source, key);
  if (member === undefined) return true;
  const value = events[member.value];
  if (value?.type === EVENT_ID.ALIAS) return true;
  return value?.type === EVENT_ID.SCALAR && value.anchorStart !== -1;
}
