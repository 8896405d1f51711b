import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Scope } from '@catalog/core/scope/scope-filter';
import { expandHome } from '@catalog/core/text/expand-home';
import { memberId } from './configured-target.ts';
import { harnessNames } from './harness-names.ts';
import { isLoadedBy } from '../lock/loaded-owner.ts';
import { refuseTarget } from './refuse-target.ts';
import { refuseSharedFolders, resolveMarketplace } from './resolve-marketplace.ts';
import { unknownProfile } from './profiles.ts';
import type {
  Config,
  ConfigFile,
  ConfigFlags,
  ProfileConfig,
  ResolvedTarget,
  Sourced,
  TargetConfig,
} from './types.ts';

interface Settled extends Pick<
  Config,
  'workspace' | 'harness' | 'profile' | 'target' | 'exclude' | 'rule_fallback'
> {
  flags: ConfigFlags;
  home: string;
  files: readonly ConfigFile[];
  profiles: ReadonlyMap<string, Sourced<ProfileConfig>>;
  active: Sourced<ProfileConfig> | undefined;
}

/** The targets of the highest file that lists any. */
export function listConfiguredTargets(files: readonly ConfigFile[]): TargetConfig[] {
  return (
    files.toReversed().find((file) => file.content.targets !== undefined)?.content.targets ?? []
  );
}

/** Fields that belong to the other kind of target; carrying one is a mistake worth stopping for. */
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

/** The targets of a configuration by their kind. */
export type Targets = Pick<Config, 'targets' | 'marketplaces'>;

/**
 * What a run delivers to. A flag that names a harness, folder, profile or selection makes one target
 * of it; otherwise the configured list runs, and without a list the defaults are the one target.
 */
export function resolveTargets(settled: Settled): Targets {
  const { flags } = settled;
  const listing = settled.files.toReversed().find((file) => file.content.targets !== undefined);
  const asked = [
    flags.harness,
    flags.target,
    flags.profile,
    flags.include,
    flags.exclude,
    flags.type,
  ];
  if (listing === undefined || asked.some((value) => value !== undefined)) {
    return { targets: defaultTargets(settled), marketplaces: [] };
  }
  const listed = listing.content.targets ?? [];
  refuseRepeatedIds(listed, listing.path);
  for (const target of listed) refuseFieldsOfTheOtherKind(target, listing.path);
  const isMarketplace = ({ kind }: TargetConfig): boolean => kind === 'marketplace';
  const targets = listed
    .filter((target) => !isMarketplace(target))
    .flatMap((target) => resolveTarget(target, settled, listing));
  refuseRepeatedIds(targets, listing.path);
  const marketplaces = listed.filter(isMarketplace).map((target) => {
    const { home } = settled;
    return resolveMarketplace(target, listing, { home, exclude: defaultExclusions(settled) });
  });
  refuseSharedFolders([...targets, ...marketplaces], marketplaces);
  return { targets, marketplaces };
}

/** One target, or one for each harness of a list such as `claude-code,codex`, named after it. */
function defaultTargets(settled: Settled): ResolvedTarget[] {
  const { flags, harness, profile, target, active } = settled;
  const harnesses = harnessNames(harness.value);
  return harnesses.map((name) => ({
    id: harnesses.length === 1 ? 'default' : name,
    directory: target.value,
    harness: name,
    profile: profile?.value,
    scope: scopeOf(flags, active?.value ?? {}, settled),
    rule_fallback: settled.rule_fallback.value,
  }));
}

/** One target, or one for each harness it names. */
function resolveTarget(target: TargetConfig, settled: Settled, file: ConfigFile): ResolvedTarget[] {
  if (target.profile !== undefined && !settled.profiles.has(target.profile)) {
    throw unknownProfile(target.profile, settled.profiles);
  }
  const profile = target.profile ?? settled.profile?.value;
  const chosen = profile === undefined ? undefined : settled.profiles.get(profile)?.value;
  const folder = target.target ?? chosen?.target;
  const fromEnvironment = settled.harness.origin.kind === 'env' ? settled.harness.value : undefined;
  const harnesses = harnessNames(
    target.harness ?? fromEnvironment ?? chosen?.harness ?? settled.harness.value,
  );
  if (harnesses.length === 0) {
    const advice = 'Set `harness`, or remove the key to use the one in defaults.';
    throw refuseTarget(target.id, file.path)('has an empty harness', advice, 'harness');
  }
  return harnesses.map((harness) => ({
    id: harnesses.length === 1 ? target.id : memberId(target.id, harness),
    directory:
      folder === undefined
        ? settled.target.value
        : resolve(file.base, expandHome(folder, settled.home)),
    harness,
    profile,
    scope: scopeOf(target, chosen ?? {}, settled),
    rule_fallback: target.rule_fallback ?? settled.rule_fallback.value,
  }));
}

/**
 * A list given at the narrower place replaces that of the wider one. `defaults.exclude` applies on top
 * of whichever is used.
 */
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

function refuseFieldsOfTheOtherKind(target: TargetConfig, file: string): void {
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
