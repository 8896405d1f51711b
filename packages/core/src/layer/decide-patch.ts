import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { UpdateLayerBody } from '@catalog/contract/records/layer';
import type { LayerRecord } from '../ports/layers.ts';
import { readGitProvider, readLayerRoot, readLocalPath } from './source-fields.ts';

/** Owner and visibility, which cannot be changed on a personal layer. */
const BELONGING = ['owner', 'public', 'organization', 'groups', 'users'] as const;
const SOURCE = ['ref', 'root', 'local_path'] as const;
const DELIVERY = ['git_provider', 'force_push_policy'] as const;

type Belonging = Pick<LayerRecord, (typeof BELONGING)[number]>;
type Source = Pick<LayerRecord, (typeof SOURCE)[number] | (typeof DELIVERY)[number]>;

export type LayerPatchDecision =
  | { kind: 'unchanged' }
  | {
      kind: 'changed';
      /** Changed layer, still with the old secret. */
      layer: LayerRecord;
      /** Names of changed fields, with `webhook_secret` for a new secret. */
      fields: readonly string[];
      rotates_secret: boolean;
      /** False for changes that are only audited: secrets, providers and policies (SPEC-25). */
      publishes: boolean;
      reads_source: boolean;
    };

/**
 * Applies a patch to a layer. Visibility fields apply if present; for other fields, an empty string or `false` keeps
 * the stored value. `id`, `source_type` and `repo` are ignored.
 */
export function decideLayerPatch(stored: LayerRecord, patch: UpdateLayerBody): LayerPatchDecision {
  const belonging = patchBelonging(stored, patch);
  const moved = BELONGING.filter((field) => !isSame(stored[field], belonging[field]));
  if (stored.user_defined && moved.length > 0) throw immutableVisibility(stored.id, moved);
  const source = patchSource(stored, patch);
  const changed = [...SOURCE, ...DELIVERY].filter((field) => stored[field] !== source[field]);
  const rotates_secret = patch.rotate_webhook_secret === true;
  if (rotates_secret && stored.source_type !== 'git') throw noSecretToRotate();
  const fields = [...moved, ...changed, ...(rotates_secret ? ['webhook_secret'] : [])];
  if (fields.length === 0) return { kind: 'unchanged' };
  const layer = { ...stored, ...belonging, ...source };
  // Another ref has a different history, which may not contain the last commit.
  if (changed.includes('ref')) layer.source_state = null;
  const read = stored.source_type === 'git' ? ['ref', 'root'] : ['root', 'local_path'];
  return {
    kind: 'changed',
    layer,
    fields,
    rotates_secret,
    publishes: moved.length > 0 || SOURCE.some((field) => changed.includes(field)),
    reads_source: changed.some((field) => read.includes(field)),
  };
}

function patchBelonging(stored: LayerRecord, patch: UpdateLayerBody): Belonging {
  return {
    owner: orStored(patch.owner, stored.owner),
    public: patch.public ?? stored.public,
    organization: patch.organization ?? stored.organization,
    groups: patch.groups === undefined ? stored.groups : namesOrNull(patch.groups),
    users: patch.users === undefined ? stored.users : namesOrNull(patch.users),
  };
}

function patchSource(stored: LayerRecord, patch: UpdateLayerBody): Source {
  const { root = '', local_path = '', git_provider = '' } = patch;
  return {
    ref: orStored(patch.ref, stored.ref),
    root: root === '' ? stored.root : readLayerRoot(root),
    local_path: local_path === '' ? stored.local_path : readLocalPath(local_path),
    git_provider: orStored(readGitProvider(git_provider, stored.source_type), stored.git_provider),
    force_push_policy: orStored(patch.force_push_policy, stored.force_push_policy),
  };
}

function orStored<Value extends string>(given: Value | undefined, stored: Value): Value {
  return given === undefined || given === '' ? stored : given;
}

export function namesOrNull(names: readonly string[] | null | undefined): readonly string[] | null {
  return names === undefined || names === null || names.length === 0 ? null : names;
}

/** Compares values. Lists must have equal items in the same order; an empty list equals null. */
function isSame(
  a: string | boolean | readonly string[] | null,
  b: string | boolean | readonly string[] | null,
): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  const [before, after] = [a ?? [], b ?? []];
  return before.length === after.length && before.every((name, index) => name === after[index]);
}

function immutableVisibility(id: string, fields: string[]): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `The layer \`${id}\` is personal, so ${fields.map((field) => `\`${field}\``).join(', ')} cannot be changed.`,
    {
      details: { constraint: 'immutable_visibility', fields },
      suggested_action:
        'Leave these fields out. To share the content, ask an administrator to register it as an organization layer.',
    },
  );
}

function noSecretToRotate(): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    'A layer with a local source has no webhook secret to rotate.',
    {
      details: { argument: 'rotate_webhook_secret', constraint: 'git_source' },
      suggested_action: 'Leave `rotate_webhook_secret` out.',
    },
  );
}
