import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import { flag, fromDefaults } from './sourced.ts';
import type { ConfigFile, ConfigInput, ProfileConfig, Sourced } from './types.ts';

/** Collects profiles by name. A file with higher precedence replaces a profile completely. */
export function collectProfiles(
  files: readonly ConfigFile[],
  warnings: string[],
): Map<string, Sourced<ProfileConfig>> {
  const profiles = new Map<string, Sourced<ProfileConfig>>();
  for (const file of files) {
    for (const [name, value] of Object.entries(file.content.profiles ?? {})) {
      const other = profiles.get(name);
      if (other !== undefined) {
        warnings.push(
          `The profile ${name} in ${file.path} overrides the one in ${other.origin.name}.`,
        );
      }
      profiles.set(name, { value, origin: file.origin });
    }
  }
  return profiles;
}

export function resolveProfile(
  { flags }: ConfigInput,
  files: readonly ConfigFile[],
  profiles: ReadonlyMap<string, unknown>,
  warnings: string[],
): Sourced<string> | undefined {
  const requested = flag(flags.profile, '--profile');
  if (requested !== undefined) {
    if (profiles.has(requested.value)) return requested;
    throw unknownProfile(requested.value, profiles);
  }
  const preset = fromDefaults(files, (defaults) => defaults.profile);
  if (preset === undefined || profiles.has(preset.value)) return preset;
  warnings.push(
    `defaults.profile is ${preset.value}, but no file defines that profile, so none is used.`,
  );
  return undefined;
}

export function unknownProfile(name: string, profiles: ReadonlyMap<string, unknown>): CatalogError {
  const near = nearest(name, profiles.keys());
  const known = [...profiles.keys()].join(', ');
  return new CatalogError('config.invalid', `Unknown profile ${name}.`, {
    details: { profile: name, profiles: [...profiles.keys()] },
    suggested_action:
      near === undefined
        ? `Define it under profiles in .catalog/sync.yaml${known === '' ? '' : `, or use one of: ${known}`}.`
        : `Did you mean ${near}?`,
  });
}
