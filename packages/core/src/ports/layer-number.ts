import type { EntityNumber } from './entity-number.ts';

/** The number of a layer in its tenant: kept when the same holder registers the id again. */
export type LayerNumber = EntityNumber<'layer'>;
