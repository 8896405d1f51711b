import type { LayerRecord } from '../ports/layers.ts';

type Held = Pick<LayerRecord, 'user_defined' | 'owner'>;

/** Formats class and owner of a layer. If they differ, an id belongs to a new layer (SPEC-85). */
export function holderOf({ user_defined, owner }: Held): string {
  return `${user_defined ? 'personal' : 'organization'} ${owner}`;
}

export function hasSameHolder(a: Held, b: Held): boolean {
  return holderOf(a) === holderOf(b);
}

/** Prefix of ids that cannot be registered, because of its space. */
const REPLACED = 'replaced ';

/** Returns the internal id of a layer whose id now belongs to another owner. */
export function replacedLayerId({ number, id }: Pick<LayerRecord, 'number' | 'id'>): string {
  return `${REPLACED}${number} ${id}`;
}

/** Returns true if the id of a layer now belongs to another owner. The layer cannot be restored and will be purged. */
export function isReplaced({ id }: Pick<LayerRecord, 'id'>): boolean {
  return id.startsWith(REPLACED);
}
