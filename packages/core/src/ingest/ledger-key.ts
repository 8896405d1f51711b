/**
 * The key under which a version is remembered for ever. Versions that differ only in build metadata
 * are one version (decision 51), but for the builds a registry under development counts up itself.
 */
export function ledgerKey(id: string, version: string): string {
  return `${id}@${ledgerVersion(version)}`;
}

const DEV_BUILD = /\+dev\.[0-9]+$/;

/** The version as the ledger knows it. */
export function ledgerVersion(version: string): string {
  const build = version.indexOf('+');
  return build === -1 || DEV_BUILD.test(version) ? version : version.slice(0, build);
}
