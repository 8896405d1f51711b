import type { EntityNumber } from './entity-number.ts';

/** Stays the same if the same holder registers the id again. */
export type LayerNumber = EntityNumber<'layer'>;
