import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { parseReference, type Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { isWrittenByReference } from '../manifest/written-by-reference.ts';
import { isSpecific, resolvePin, type PinCandidate } from '../version/pin.ts';
import { mergeArtifact, namedParentProblem } from './merge-artifacts.ts';

/** Maximum number of parents in a chain; a longer chain is a mistake. */
const MAX_CHAIN_LENGTH = 32;

/** Version that a child may extend, already merged, with the ids of its parents. */
export interface ParentCandidate extends PinCandidate {
  artifact: Artifact;
  ancestors: readonly string[];
  /** True if the version is stored but must never be served (specification, Inheritance rules 5). */
  is_refused: boolean;
  /** True if every reader of the child may see this version. */
  is_named: boolean;
}

export interface ResolvedExtends {
  artifact: Artifact;
  parent: Artifact;
  ancestors: readonly string[];
  /** Why the artifact must never be served although it was merged (specification, Inheritance rules 5). */
  refusal: CatalogError | undefined;
}

/** Parses `extends`. Throws an error for the author if it is invalid. */
export function parentReference(child: Artifact): Reference | undefined {
  const text = child.fields.extends;
  if (text === undefined || text === '') return undefined;
  try {
    return parseReference(text);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    throw invalid(child, `Its \`extends\` is not valid. ${error.message}`, error.suggested_action);
  }
}

/** Parents that messages may name: `all`, even missing ones, or only `visible` ones. */
export type NamedParents = 'all' | 'visible';

/**
 * Resolves `extends`. The lists contain versions of the parent's id per layer, the winning layer first. `latest` and
 * ranges resolve in that layer; exact versions and content hashes also in others (SPEC-21). With `visible`, a parent
 * that is hidden from some readers fails like a missing one.
 */
export function resolveExtends(
  child: Artifact,
  reference: Reference,
  layers: readonly (readonly ParentCandidate[])[],
  named: NamedParents = 'all',
): ResolvedExtends {
  const parent = findParent(child, reference, layers, named);
  // An exact pin may select a deprecated version; a range only if there is no other.
  if (parent.deprecated) {
    throw parent.is_named ? deprecatedParent(child, reference, parent) : unnamedParent(child);
  }
  const ancestors = [parent.artifact.id, ...parent.ancestors];
  const isTooLong = ancestors.length > MAX_CHAIN_LENGTH;
  if (!parent.is_named && (isTooLong || parent.artifact.type !== child.type)) {
    throw unnamedParent(child);
  }
  if (isTooLong) {
    throw invalid(
      child,
      `Its chain of \`extends\` has more than ${MAX_CHAIN_LENGTH} artifacts.`,
      'Extend an artifact closer to the start of the chain.',
    );
  }
  const artifact = mergeArtifact(child, parent.artifact);
  const mayNameParent = parent.is_refused || isParentByReference(child);
  const refusal = mayNameParent ? namedParentProblem(artifact, ancestors) : undefined;
  return { artifact, parent: parent.artifact, ancestors, refusal };
}

/**
 * Returns true if the parent's id may remain in the frontmatter because the author wrote it in another value, such as
 * `name`.
 */
function isParentByReference({ manifest }: Artifact): boolean {
  return manifest !== undefined && isWrittenByReference(manifest.frontmatter, 'extends');
}

function findParent(
  child: Artifact,
  { id, pin }: Reference,
  layers: readonly (readonly ParentCandidate[])[],
  names: NamedParents,
): ParentCandidate {
  for (const candidates of isSpecific(pin) ? layers : layers.slice(0, 1)) {
    const found = resolvePin(pin, candidates);
    if (found !== undefined) return found;
  }
  const all = layers.flat();
  const named = all.filter(({ is_named }) => is_named).map(({ version }) => version);
  if (named.length === 0 && names === 'visible') throw unnamedParent(child);
  const existing = named.length === 0 ? '' : `; available: ${named.join(', ')}`;
  throw all.length === 0
    ? invalid(
        child,
        `It extends \`${id}\`, which does not exist.`,
        'Fix the id under `extends`, or add that artifact.',
      )
    : invalid(
        child,
        `It extends \`${child.fields.extends ?? id}\`, but no version matches${existing}.`,
        'Pin a version that exists.',
      );
}

function deprecatedParent(
  child: Artifact,
  { id, pin }: Reference,
  parent: ParentCandidate,
): CatalogError {
  const message = isSpecific(pin)
    ? `It extends ${parent.version} of \`${id}\`, which is deprecated.`
    : `It extends \`${child.fields.extends ?? id}\`, but every matching version is deprecated.`;
  return invalid(child, message, 'Extend a version that is not deprecated.');
}

/** Creates the error for missing and hidden parents alike. */
export function unnamedParent(child: Artifact): CatalogError {
  return invalid(
    child,
    'It extends an artifact or version that is missing or that some readers of this layer cannot see.',
    'Check the id and version under `extends`. A user who sees that artifact can check its versions and type.',
  );
}

function invalid(child: Artifact, message: string, suggested_action: string): CatalogError {
  return new CatalogError('ingest.invalid_artifact', message, {
    details: { artifact_id: child.id, layer: child.layer },
    suggested_action,
  });
}
