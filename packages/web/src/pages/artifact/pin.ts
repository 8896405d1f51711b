/** The version that the URL names; empty parts mean the one that the registry serves. */
export interface Pin {
  version: string;
  layer: string;
}
