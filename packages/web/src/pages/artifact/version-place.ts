/** Includes the layer, because two layers may have the same version of an artifact. */
export interface VersionPlace {
  layer: string;
  version: string;
}

export function isSameVersion(one: VersionPlace, other: VersionPlace): boolean {
  return one.layer === other.layer && one.version === other.version;
}

/** Returns `platform@1.2.0`. Layer ids do not contain `@`. */
export function formatPlace({ layer, version }: VersionPlace): string {
  return `${layer}@${version}`;
}
