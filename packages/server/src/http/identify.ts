import type { Caller } from '@catalog/core/layer/visibility';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';

/** Whose data a request is about, and who asks. */
export interface Identity {
  tenant: Tenant;
  caller: Caller;
}

const NOBODY: Identity = { tenant: ONLY_TENANT, caller: { kind: 'open' } };

/** Without an identity provider a bearer token neither identifies nor refuses anybody (MODE-04). */
export function identifyNobody(): Identity {
  return NOBODY;
}
