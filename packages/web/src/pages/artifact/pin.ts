/** Version in the URL. Empty fields mean the version that the registry serves. */
export interface Pin {
  version: string;
  layer: string;
}
