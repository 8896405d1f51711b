/**
 * Returns the key of a version in the ledger. Versions that differ only in build metadata are equal (SPEC-51), except
 * for numbered development builds.
 */
export function ledgerKey(id: string, version: string): string {
  return `${id}@${ledgerVersion(version)}`;
}

const DEV_BUILD = /\+dev\.([0-9]+)$/;

/** Returns the number of a development build; 0 for the version itself (SPEC-51). */
export function devBuild(version: string): number {
  return Number(DEV_BUILD.exec(version)?.[1] ?? 0);
}

export function ledgerVersion(version: string): string {
  const build = version.indexOf('+');
  return build === -1 || DEV_BUILD.test(version) ? version : version.slice(0, build);
}
