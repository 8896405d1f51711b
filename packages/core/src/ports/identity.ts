/** Identity of a metadata store. Its object store holds the same one, so that each knows the other (ADR-0068). */
export interface StoreIdentity {
  identity: string;
  /** The identity that the object store held when it was last checked; null if none was claimed yet. */
  object_store_identity: string | null;
  /**
   * Whether the store is where it was when it got its identity. `changed` after a restore from a dump or
   * an archive, a copy, or the promotion of a standby; `unknown` on a standby.
   */
  origin: 'same' | 'changed' | 'unknown';
}

export interface IdentityReads {
  /** Returns undefined if the store has no identity yet. */
  get(): Promise<StoreIdentity | undefined>;
}

export interface IdentityWrites extends IdentityReads {
  /** Gives the store an identity. If it has one, that one stays and is returned. */
  create(identity: string): Promise<StoreIdentity>;
  /** Replaces the identity `from`. If another process has replaced it already, that one is returned. */
  renew(from: string, identity: string): Promise<StoreIdentity>;
  /** Records that the object store holds `identity`, unless the store has another one by now. */
  claimObjectStore(identity: string): Promise<StoreIdentity>;
}
