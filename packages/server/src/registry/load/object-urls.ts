import type { ObjectDelivery } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

export interface ObjectUrls {
  /** Returns a URL of the object store, or of this registry. */
  of(content_hash: string, as: ObjectDelivery): Promise<string>;
  readonly count: number;
  /** Expiry of the first URL; undefined if no URL expires. */
  readonly expires_at: Date | undefined;
}

export function createObjectUrls({ objects, settings }: Registry, tenant: Tenant): ObjectUrls {
  let count = 0;
  let first: Date | undefined;
  return {
    async of(content_hash, as) {
      count += 1;
      const presigned = await objects.presign(tenant, content_hash, as);
      if (presigned === undefined) {
        return `${settings.public_url}/objects/${content_hash.replace('sha256:', '')}`;
      }
      if (first === undefined || presigned.expires_at < first) first = presigned.expires_at;
      return presigned.url;
    },
    get count() {
      return count;
    },
    get expires_at() {
      return first;
    },
  };
}
