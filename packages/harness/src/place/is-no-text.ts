import type { Untranslatable } from '../adapter.ts';

/**
 * Whether a `render` gave something other than a text. That is a refusal; of a third party's function
 * it may be anything, which `guardAdapter` tells of.
 */
export function isNoText(text: string | undefined | Untranslatable): text is Untranslatable {
  return text !== undefined && typeof text !== 'string';
}
