/** Version with its layer, because two layers may have the same version. */
export interface VersionPlace {
  layer: string;
  version: string;
}

export function isSameVersion(one: VersionPlace, other: VersionPlace): boolean {
  return one.layer === other.layer && one.version === other.version;
}

/** Formats a version and its layer as `platform@1.2.0`. Layer ids contain no `@`. */
export function formatPlace({ layer, version }: VersionPlace): string {
  return `${layer}@${version}`;
}
