/** The object store has the same identity, so that each can verify the other (ADR-0068). */
export interface StoreIdentity {
  identity: string;
  /** Identity of the object store at the last check; null if none was claimed yet. */
  object_store_identity: string | null;
  /**
   * `changed` after a restore from a dump or an archive, a copy, or the promotion of a standby;
   * `unknown` on a standby.
   */
  origin: 'same' | 'changed' | 'unknown';
}

export interface IdentityReads {
  get(): Promise<StoreIdentity | undefined>;
}

export interface IdentityWrites extends IdentityReads {
  create(identity: string): Promise<StoreIdentity>;
  /**
   * Replaces the identity `from`. If another process has already replaced it, returns that
   * identity.
   */
  renew(from: string, identity: string): Promise<StoreIdentity>;
  /** Records that the object store has `identity`, unless the store's own identity has changed. */
  claimObjectStore(identity: string): Promise<StoreIdentity>;
}
