import type { Untranslatable } from '../adapter.ts';

/** Returns true for a rejection. The `render` of a third party can return any value, which `guardAdapter` reports. */
export function isRejection(text: string | undefined | Untranslatable): text is Untranslatable {
  return text !== undefined && typeof text !== 'string';
}
