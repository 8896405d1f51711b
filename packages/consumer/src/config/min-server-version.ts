import type { ConfigFile, MinServerVersion, ProfileConfig, Sourced } from './types.ts';

export function listMinServerVersions(
  files: readonly ConfigFile[],
  profile: Sourced<ProfileConfig> | undefined,
): MinServerVersion[] {
  const requirements = files.flatMap(({ content, path }) =>
    toMinimum(content.defaults?.min_server_version, path),
  );
  if (profile === undefined) return requirements;
  return [...requirements, ...toMinimum(profile.value.min_server_version, profile.origin.name)];
}

function toMinimum(version: string | undefined, place: string): MinServerVersion[] {
  return version === undefined ? [] : [{ version, place }];
}
