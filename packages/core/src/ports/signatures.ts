import type { Sensitivity } from '../artifact/types.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { LayerStack } from './versions.ts';

/** Identifies a version of a tenant. */
export interface VersionKey {
  layer: LayerNumber;
  id: string;
  version: string;
}

/** Signature of the registry over a version. */
export interface StoredSignature extends VersionKey {
  content_hash: string;
  key_id: string;
  /** In-toto statement, exactly as it was signed. */
  payload: string;
  /** In base64. */
  signature: string;
  signed_at: string;
}

/** Facts about a stored version that a new signature covers. */
export interface UnsignedVersion extends VersionKey {
  type: string;
  content_hash: string;
  sensitivity: Sensitivity | null;
  source_commit: string | null;
}

export interface SignatureReads {
  get(tenant: Tenant, key: VersionKey): Promise<StoredSignature | undefined>;
  /**
   * Finds signatures of versions with one of the hashes, in the layers, by id, version and layer.
   * Versions of other ids are left out if `ids` is given.
   */
  find(
    tenant: Tenant,
    wanted: {
      layers: LayerStack;
      content_hashes: readonly string[];
      ids?: readonly string[];
      limit: number;
    },
  ): Promise<StoredSignature[]>;
  /**
   * Lists stored versions after a key that have no signature by one of the keys, by layer, id and
   * version.
   */
  listUnsigned(
    tenant: Tenant,
    page: { key_ids: readonly string[]; after: VersionKey; limit: number },
  ): Promise<UnsignedVersion[]>;
}

export interface SignatureWrites extends SignatureReads {
  /** Replaces earlier signatures of the same versions. */
  put(tenant: Tenant, signatures: readonly StoredSignature[]): Promise<void>;
}
