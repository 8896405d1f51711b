import type { Untranslatable } from '../adapter.ts';

/** A third party's `render` can return any value, which `guardAdapter` reports. */
export function isRejection(text: string | undefined | Untranslatable): text is Untranslatable {
  return text !== undefined && typeof text !== 'string';
}
