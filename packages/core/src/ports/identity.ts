/** Identity of a store, which the object store also records, so that each can verify the other (ADR-0068). */
export interface StoreIdentity {
  identity: string;
  /** Identity in the object store at the last check; null if none was claimed. */
  object_store_identity: string | null;
  /** `changed` after a restore, a copy, or the promotion of a standby; `unknown` on a standby. */
  origin: 'same' | 'changed' | 'unknown';
}

export interface IdentityReads {
  get(): Promise<StoreIdentity | undefined>;
}

export interface IdentityWrites extends IdentityReads {
  create(identity: string): Promise<StoreIdentity>;
  /** Replaces the identity `from`, and returns the current one if another process was faster. */
  renew(from: string, identity: string): Promise<StoreIdentity>;
  /** Records the identity of the object store, unless the store's own identity has changed. */
  claimObjectStore(identity: string): Promise<StoreIdentity>;
}
