import type { EntityNumber } from './entity-number.ts';

/** Number of a layer. It stays the same if the same owner registers the id again. */
export type LayerNumber = EntityNumber<'layer'>;
