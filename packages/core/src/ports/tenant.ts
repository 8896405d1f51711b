import type { EntityNumber } from './entity-number.ts';

/** The number of a tenant in its registry. It leads every key of every table. */
export type Tenant = EntityNumber<'tenant'>;

/** The tenant of a registry that has only one. */
export const ONLY_TENANT: Tenant = 1;

/** Its name, also where there are others: the layers of the configuration are its. */
export const ONLY_TENANT_NAME = 'default';

/** What a request is about that belongs to none: no row has it. */
export const NO_TENANT: Tenant = 0;
