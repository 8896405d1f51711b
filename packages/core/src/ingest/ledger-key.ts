/**
 * The key under which a version is remembered for ever. Versions that differ only in build metadata
 * are one version (SPEC-51), but for the builds a registry under development counts up itself.
 */
export function ledgerKey(id: string, version: string): string {
  return `${id}@${ledgerVersion(version)}`;
}

const DEV_BUILD = /\+dev\.([0-9]+)$/;

/** Which build of a version under development it is; 0 for the version itself (SPEC-51). */
export function devBuild(version: string): number {
  return Number(DEV_BUILD.exec(version)?.[1] ?? 0);
}

/** The version as the ledger knows it. */
export function ledgerVersion(version: string): string {
  const build = version.indexOf('+');
  return build === -1 || DEV_BUILD.test(version) ? version : version.slice(0, build);
}
