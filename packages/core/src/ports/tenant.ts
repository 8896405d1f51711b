import type { EntityNumber } from './entity-number.ts';

/** First column of every key. */
export type Tenant = EntityNumber<'tenant'>;

export const ONLY_TENANT: Tenant = 1;

/** Owns the layers of the configuration, even if there are other tenants. */
export const ONLY_TENANT_NAME = 'default';

/** For requests without a tenant; no row has it. */
export const NO_TENANT: Tenant = 0;
