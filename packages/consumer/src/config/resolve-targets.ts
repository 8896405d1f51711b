import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Scope } from '@catalog/core/scope/scope-filter';
import { expandHome } from '@catalog/core/text/expand-home';
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

interface Settled extends Pick<Config, 'workspace' | 'harness' | 'profile' | 'target'> {
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
  'commit_message',
  'identity',
  'plugins',
  'workflow',
] as const;
const WORKSPACE_FIELDS = ['harness', 'profile', 'include', 'exclude', 'type'] as const;

/**
 * What a run delivers to. A flag that names a harness, folder, profile or selection makes one target
 * of it; otherwise the configured list runs, and without a list the defaults are the one target.
 */
export function resolveTargets(settled: Settled): ResolvedTarget[] {
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
    return [defaultTarget(settled)];
  }
  const targets = (listing.content.targets ?? []).map((target) =>
    resolveTarget(target, settled, listing),
  );
  refuseRepeatedIds(targets, listing.path);
  return targets;
}

function defaultTarget({ flags, harness, profile, target, active }: Settled): ResolvedTarget {
  return {
    id: 'default',
    kind: 'workspace',
    directory: target.value,
    harness: harness.value,
    profile: profile?.value,
    scope: scopeOf(flags, active?.value ?? {}),
  };
}

function resolveTarget(target: TargetConfig, settled: Settled, file: ConfigFile): ResolvedTarget {
  const kind = target.kind ?? 'workspace';
  refuseFieldsOfTheOtherKind(target, kind, file.path);
  if (target.profile !== undefined && !settled.profiles.has(target.profile)) {
    throw unknownProfile(target.profile, settled.profiles);
  }
  const profile = target.profile ?? settled.profile?.value;
  const chosen = profile === undefined ? undefined : settled.profiles.get(profile)?.value;
  const folder = target.target ?? chosen?.target;
  const fromEnvironment = settled.harness.origin.kind === 'env' ? settled.harness.value : undefined;
  return {
    id: target.id,
    kind,
    directory:
      folder === undefined
        ? settled.target.value
        : resolve(file.base, expandHome(folder, settled.home)),
    harness: target.harness ?? fromEnvironment ?? chosen?.harness ?? settled.harness.value,
    profile,
    scope: scopeOf(target, chosen ?? {}),
  };
}

/** Lists given at the narrower place replace those of the wider one; they do not add to them. */
function scopeOf(
  narrow: { include?: string[]; exclude?: string[]; type?: string[] },
  wide: { include?: string[]; exclude?: string[]; type?: string[] },
): Scope {
  return {
    include: narrow.include ?? wide.include ?? [],
    exclude: narrow.exclude ?? wide.exclude ?? [],
    type: narrow.type ?? wide.type ?? [],
  };
}

function refuseFieldsOfTheOtherKind(
  target: TargetConfig,
  kind: 'workspace' | 'marketplace',
  file: string,
): void {
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

function refuseRepeatedIds(targets: readonly ResolvedTarget[], file: string): void {
  const seen = new Set<string>();
  for (const { id } of targets) {
    if (seen.has(id)) {
      throw new CatalogError('config.invalid', `${file}: two targets are named ${id}.`, {
        details: { file, target: id },
      });
    }
    seen.add(id);
  }
}
