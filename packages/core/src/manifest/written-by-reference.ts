import { EVENT_ID, parseEvents } from 'js-yaml';
import { findMember } from './locate.ts';

/**
 * Returns true if a top-level key gets its value through a merge key, an alias or an anchor, so that other keys may
 * have the same value.
 */
export function isWrittenByReference(source: string, key: string): boolean {
  // Anchors contain `&` and merge keys `<<`; an alias needs an anchor.
  if (!source.includes('&') && !source.includes('<<')) return false;
  const events = parseEvents(source, {});
  // The first event opens the document and the second one its root.
  const member = findMember(events, 1, source, key);
  if (member === undefined) return true;
  const value = events[member.value];
  if (value?.type === EVENT_ID.ALIAS) return true;
  return value?.type === EVENT_ID.SCALAR && value.anchorStart !== -1;
}
