import type { LayerRecord } from '../ports/layers.ts';

type Held = Pick<LayerRecord, 'user_defined' | 'owner'>;

/** Names the class and owner of a layer: an id that passes to another holder is a new layer (SPEC-85). */
export function holderOf({ user_defined, owner }: Held): string {
  return `${user_defined ? 'personal' : 'organization'} ${owner}`;
}

export function hasSameHolder(a: Held, b: Held): boolean {
  return holderOf(a) === holderOf(b);
}

/** Cannot be registered: ids have no spaces. */
const REPLACED = 'replaced ';

/** The id a layer keeps after its own passed to another holder. */
export function replacedLayerId({ number, id }: Pick<LayerRecord, 'number' | 'id'>): string {
  return `${REPLACED}${number} ${id}`;
}

/** Whether the id of a layer passed to another holder: the layer waits to be purged and cannot return. */
export function isReplaced({ id }: Pick<LayerRecord, 'id'>): boolean {
  return id.startsWith(REPLACED);
}
