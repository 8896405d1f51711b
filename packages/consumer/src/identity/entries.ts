/** Store of binary values by label. Each write is atomic. */
export interface Entries {
  get(label: string): Promise<Uint8Array | undefined>;
  set(label: string, value: Uint8Array): Promise<void>;
  remove(label: string): Promise<void>;
}
