/** A keychain as far as it is used: values of bytes by label. Writing one value is all or nothing. */
export interface Entries {
  get(label: string): Promise<Uint8Array | undefined>;
  set(label: string, value: Uint8Array): Promise<void>;
  /** Nothing happens where there is none. */
  remove(label: string): Promise<void>;
}
