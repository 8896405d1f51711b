import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { VERSION } from '@catalog/contract/version';
import type { ConfigFile, ProfileConfig, Sourced } from './types.ts';

/** Refuses a configuration that asks for a later catalog than this one; the highest pin decides. */
export function checkMinServerVersion(
  files: readonly ConfigFile[],
  profile: Sourced<ProfileConfig> | undefined,
): void {
  const pins = files.flatMap((file) => {
    const pin = file.content.defaults?.min_server_version;
    return pin === undefined ? [] : [{ pin, place: file.path }];
  });
  const profilePin = profile?.value.min_server_version;
  if (profilePin !== undefined && profile !== undefined) {
    pins.push({ pin: profilePin, place: profile.origin.name });
  }
  for (const { pin, place } of pins) {
    if (compare(parse(pin, place), parse(VERSION, 'this program')) <= 0) continue;
    throw new CatalogError(
      'config.server_version_too_old',
      `${place} needs catalog ${pin} or later; this is ${VERSION}.`,
      { details: { min_server_version: pin, version: VERSION } },
    );
  }
}

function parse(version: string, place: string): number[] {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(version);
  if (match === null) {
    throw new CatalogError(
      'config.invalid_min_version',
      `${place}: min_server_version ${version} is not a version such as 0.4.0.`,
      { details: { min_server_version: version } },
    );
  }
  return match.slice(1).map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, part] of a.entries()) {
    const difference = part - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
