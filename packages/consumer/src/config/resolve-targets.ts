import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Scope } from '@catalog/core/scope/scope-filter';
import { expandHome } from '@catalog/core/text/expand-home';
import { memberId } from './configured-target.ts';
import { harnessNames } from './harness-names.ts';
import { isLoadedBy } from '../lock/loaded-owner.ts';
import { refuseTarget } from './refuse-target.ts';
import { BUILT_IN, first, member } from './sourced.ts';
import { refuseSharedFolders, resolveMarketplace } from './resolve-marketplace.ts';
import { unknownProfile } from './profiles.ts';
import type {
  Config,
  ConfigFile,
  ConfigFlags,
  Origin,
  ProfileConfig,
  ResolvedTarget,
  Sourced,
  TargetConfig,
} from './types.ts';

interface Settled extends Pick<
  Config,
  | 'workspace'
  | 'registry'
  | 'harness'
  | 'profile'
  | 'target'
  | 'exclude'
  | 'unsupported'
  | 'on_clash'
  | 'rule_fallback'
> {
  flags: ConfigFlags;
  home: string;
  files: readonly ConfigFile[];
  profiles: ReadonlyMap<string, Sourced<ProfileConfig>>;
  active: Sourced<ProfileConfig> | undefined;
}

export function listConfiguredTargets(files: readonly ConfigFile[]): TargetConfig[] {
  return (
    files.toReversed().find((file) => file.content.targets !== undefined)?.content.targets ?? []
  );
}

const MARKETPLACE_FIELDS = [
  'harnesses',
  'git',
  'publish',
  'commit_message',
  'description',
  'identity',
  'plugins',
  'workflow',
] as const;
const WORKSPACE_FIELDS = ['profile', 'include', 'exclude', 'type', 'rule_fallback'] as const;

export type Targets = Pick<Config, 'targets' | 'marketplaces'>;

/**
 * Returns one target if a flag names a harness, folder, profile or selection. Otherwise returns the configured targets,
 * or a default one.
 */
export function resolveTargets(settled: Settled): Targets {
  const { flags } = settled;
  const listing = settled.files.toReversed().find((file) => file.content.targets !== undefined);
  const selection_flags = [
    flags.harness,
    flags.target,
    flags.profile,
    flags.include,
    flags.exclude,
    flags.type,
  ];
  if (listing === undefined || selection_flags.some((value) => value !== undefined)) {
    return { targets: defaultTargets(settled), marketplaces: [] };
  }
  const listed = listing.content.targets ?? [];
  refuseRepeatedIds(listed, listing.path);
  for (const target of listed) rejectForeignFields(target, listing.path);
  const isMarketplace = ({ kind }: TargetConfig): boolean => kind === 'marketplace';
  const targets = listed
    .filter((target) => !isMarketplace(target))
    .flatMap((target) => resolveTarget(target, settled, listing));
  refuseRepeatedIds(targets, listing.path);
  const marketplaces = listed.filter(isMarketplace).map((target) => {
    const { home } = settled;
    const exclude = defaultExclusions(settled);
    return resolveMarketplace(target, listing, { home, exclude, origins: commonOrigins(settled) });
  });
  refuseSharedFolders([...targets, ...marketplaces], marketplaces);
  return { targets, marketplaces };
}

function defaultTargets(settled: Settled): ResolvedTarget[] {
  const { flags, harness, profile, target, active } = settled;
  const harnesses = harnessNames(harness.value);
  const by_profile = profileOrigins(active, profile?.origin);
  const origins = {
    directory: defaultFolder(settled).origins,
    files: [
      harness.origin,
      settled.rule_fallback?.origin ?? BUILT_IN,
      ...by_profile,
      ...commonOrigins(settled),
    ],
  };
  return harnesses.map((name) => ({
    id: harnesses.length === 1 ? 'default' : name,
    directory: target.value,
    origins,
    harness: name,
    profile: profile?.value,
    scope: scopeOf(flags, active?.value ?? {}, settled),
    rule_fallback: settled.rule_fallback?.value,
  }));
}

function resolveTarget(target: TargetConfig, settled: Settled, file: ConfigFile): ResolvedTarget[] {
  if (target.profile !== undefined && !settled.profiles.has(target.profile)) {
    throw unknownProfile(target.profile, settled.profiles);
  }
  const profile = target.profile ?? settled.profile?.value;
  const sourced = profile === undefined ? undefined : settled.profiles.get(profile);
  const chosen = sourced?.value;
  const chosen_by = target.profile === undefined ? settled.profile?.origin : file.origin;
  const by_profile = profileOrigins(sourced, chosen_by);
  const folder = resolveFolder(target, sourced, by_profile, settled, file);
  const harness =
    first(
      member({ value: target, origin: file.origin }, (value) => value.harness),
      settled.harness.origin.kind === 'env' ? settled.harness : undefined,
      member(sourced, (value) => value.harness),
    ) ?? settled.harness;
  const harnesses = harnessNames(harness.value);
  if (harnesses.length === 0) {
    const advice = 'Set `harness`, or remove the key to use the one in defaults.';
    throw refuseTarget(target.id, file.path)('has an empty harness', advice, 'harness');
  }
  const fallback_origin =
    target.rule_fallback === undefined ? (settled.rule_fallback?.origin ?? BUILT_IN) : file.origin;
  return harnesses.map((name) => ({
    id: harnesses.length === 1 ? target.id : memberId(target.id, name),
    directory: folder.value,
    origins: {
      directory: [file.origin, ...folder.origins],
      files: [
        file.origin,
        harness.origin,
        fallback_origin,
        ...by_profile,
        ...commonOrigins(settled),
      ],
    },
    harness: name,
    profile,
    scope: scopeOf(target, chosen ?? {}, settled),
    rule_fallback: target.rule_fallback ?? settled.rule_fallback?.value,
  }));
}

interface NamedFolder {
  value: string;
  origins: readonly Origin[];
}

function resolveFolder(
  { target }: TargetConfig,
  profile: Sourced<ProfileConfig> | undefined,
  by_profile: readonly Origin[],
  settled: Settled,
  file: ConfigFile,
): NamedFolder {
  const { files, home } = settled;
  if (target !== undefined) {
    return { value: resolve(file.base, expandHome(target, home)), origins: [file.origin] };
  }
  if (profile?.value.target === undefined) return defaultFolder(settled);
  const { base } = files.find(({ origin }) => origin === profile.origin) ?? file;
  return { value: resolve(base, expandHome(profile.value.target, home)), origins: by_profile };
}

function defaultFolder({ flags, target, profile, active }: Settled): NamedFolder {
  const isOfProfile = flags.target === undefined && active?.value.target !== undefined;
  const origins = isOfProfile ? profileOrigins(active, profile?.origin) : [target.origin];
  return { value: target.value, origins };
}

function profileOrigins(
  profile: Sourced<ProfileConfig> | undefined,
  chosen_by: Origin | undefined,
): Origin[] {
  return [profile?.origin, chosen_by].filter((origin) => origin !== undefined);
}

function commonOrigins({ registry, exclude, unsupported, on_clash }: Settled): Origin[] {
  const shared = [registry, ...exclude, unsupported, on_clash];
  return shared.flatMap((sourced) => sourced?.origin ?? []);
}

/** Returns the selection: the narrowest level with a list applies, and `defaults.exclude` is added. */
function scopeOf(
  narrow: { include?: string[]; exclude?: string[]; type?: string[] },
  wide: { include?: string[]; exclude?: string[]; type?: string[] },
  settled: Settled,
): Scope {
  return {
    include: narrow.include ?? wide.include ?? [],
    exclude: [...(narrow.exclude ?? wide.exclude ?? []), ...defaultExclusions(settled)],
    type: narrow.type ?? wide.type ?? [],
  };
}

function defaultExclusions({ exclude }: Settled): string[] {
  return exclude.flatMap(({ value }) => value);
}

function rejectForeignFields(target: TargetConfig, file: string): void {
  const kind = target.kind ?? 'workspace';
  const foreign = kind === 'workspace' ? MARKETPLACE_FIELDS : WORKSPACE_FIELDS;
  const found = foreign.filter((field) => target[field] !== undefined);
  if (found.length === 0) return;
  const other = kind === 'workspace' ? 'marketplace' : 'workspace';
  throw new CatalogError(
    'config.invalid',
    `${file}: target ${target.id} is a ${kind} target and cannot have ${found.join(', ')}, which belong to a ${other} target.`,
    { details: { file, target: target.id, fields: found } },
  );
}

function refuseRepeatedIds(targets: readonly { id: string }[], file: string): void {
  const seen = new Set<string>();
  for (const { id } of targets) {
    if (isLoadedBy(id)) {
      throw new CatalogError(
        'config.invalid',
        `${file}: a target cannot be named ${id}, because the lock uses that name for artifacts an agent loaded.`,
        { details: { file, target: id }, suggested_action: 'Rename the target.' },
      );
    }
    if (seen.has(id)) {
      throw new CatalogError('config.invalid', `${file}: two targets have the name ${id}.`, {
        details: { file, target: id },
      });
    }
    seen.add(id);
  }
}
