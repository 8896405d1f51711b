import type { Quota } from '@catalog/core/ports/quota';

/** A registry whose settings name no limit has none. */
export const unlimitedQuota: Quota = { take: async () => undefined };
