/** The number of a tenant in its registry. It leads every key of every table. */
export type Tenant = number;

/** The tenant of a registry that has only one. */
export const ONLY_TENANT: Tenant = 1;
