import type { EntityNumber } from './entity-number.ts';

/** Number of a tenant, the first column of every key. */
export type Tenant = EntityNumber<'tenant'>;

export const ONLY_TENANT: Tenant = 1;

/** Name of the tenant with the layers of the configuration, even if there are others. */
export const ONLY_TENANT_NAME = 'default';

/** Number for requests without a tenant; no row has it. */
export const NO_TENANT: Tenant = 0;
