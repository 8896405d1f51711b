import type { LayerRecord } from '../ports/layers.ts';

type Held = Pick<LayerRecord, 'user_defined' | 'owner'>;

/** Formats class and owner. An id that passes to another holder is a new layer (SPEC-85). */
export function holderOf({ user_defined, owner }: Held): string {
  return `${user_defined ? 'personal' : 'organization'} ${owner}`;
}

export function hasSameHolder(a: Held, b: Held): boolean {
  return holderOf(a) === holderOf(b);
}

/** Cannot be registered, because ids have no spaces. */
const REPLACED = 'replaced ';

/** Returns the id of a layer whose original id has passed to another holder. */
export function replacedLayerId({ number, id }: Pick<LayerRecord, 'number' | 'id'>): string {
  return `${REPLACED}${number} ${id}`;
}

/**
 * Returns true if the id of a layer has passed to another holder. The layer cannot be restored and
 * will be purged.
 */
export function isReplaced({ id }: Pick<LayerRecord, 'id'>): boolean {
  return id.startsWith(REPLACED);
}
