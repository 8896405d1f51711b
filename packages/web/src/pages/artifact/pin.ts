/** Version in the URL; empty fields mean the one that the registry serves. */
export interface Pin {
  version: string;
  layer: string;
}
