import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compareBytes } from '../artifact/compare-bytes.ts';
import { ARTIFACT_KEYS, SHARED_KEYS, SKILL_KEYS } from '../artifact/frontmatter-keys.ts';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact, Manifest, PackageFile } from '../artifact/types.ts';
import type { JsonObject } from '../json.ts';
import { encodeManifest } from './encode-manifest.ts';
import { mergeValues } from './merge-values.ts';
import { findNamedParent } from './named-parent.ts';

/** Merges an artifact with its parent, which is already merged. The result is parsed like any other package. */
export function mergeArtifact(child: Artifact, parent: Artifact): Artifact {
  if (child.type !== parent.type) throw typesDiffer(child, parent);
  const encoder = new TextEncoder();
  const skill = mergeSkill(child, parent);
  const reading = readArtifact({
    id: child.id,
    layer: child.layer,
    manifest: encoder.encode(mergeManifest(child, parent)),
    skill: skill === undefined ? undefined : encoder.encode(skill),
    resources: mergeResources(child, parent),
  });
  if (reading.kind === 'refused') throw unreadable(child, reading.problems);
  const errors = reading.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw unreadable(child, errors);
  return { ...reading.artifact, authored_hash: child.authored_hash };
}

/** Merges `ARTIFACT.md` and removes `extends`. Keys that belong to `SKILL.md` are not inherited here. */
function mergeManifest(child: Artifact, parent: Artifact): string {
  const isSkill = child.type === 'skill';
  const values = mergeValues(
    valuesOf(child.manifest),
    isSkill ? withoutSharedKeys(valuesOf(parent.manifest)) : valuesOf(parent.manifest),
    ARTIFACT_KEYS,
  );
  const body = child.manifest?.body ?? '';
  return encodeManifest(values, isSkill || hasOwnBody(child) ? body : parent.body);
}

/** Merges `SKILL.md` by the same rules (SPEC-23). Returns the authored file if nothing is inherited. */
function mergeSkill(child: Artifact, parent: Artifact): string | undefined {
  if (child.type !== 'skill') return child.skill?.text;
  const own = valuesOf(child.skill);
  const values = mergeValues(own, valuesOf(parent.skill), SKILL_KEYS);
  const body = hasOwnBody(child) ? child.body : parent.body;
  const inheritsNothing = JSON.stringify(values) === JSON.stringify(own) && body === child.body;
  return child.skill !== undefined && inheritsNothing
    ? child.skill.text
    : encodeManifest(values, body);
}

/**
 * Merges bundled files, which belong to the body that refers to them. A child that inherits the body also inherits its
 * files and may replace some of them; a child with its own body has only its own files (SPEC-23).
 */
function mergeResources(child: Artifact, parent: Artifact): PackageFile[] {
  if (hasOwnBody(child) || parent.resources.length === 0) return child.resources;
  const files = new Map(parent.resources.map((file) => [file.path, file]));
  for (const file of child.resources) files.set(file.path, file);
  return [...files.values()].sort((a, b) => compareBytes(a.path, b.path));
}

function hasOwnBody(artifact: Artifact): boolean {
  return artifact.body.trim() !== '';
}

function valuesOf(manifest: Manifest | undefined): JsonObject {
  const none: JsonObject = Object.create(null);
  return manifest?.values ?? none;
}

function withoutSharedKeys(values: JsonObject): JsonObject {
  const kept: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(values)) if (!SHARED_KEYS.has(key)) kept[key] = value;
  return kept;
}

/** Returns a problem if the artifact still names one of `ancestors`. An overlay may name its own id. */
export function namedParentProblem(
  { id, manifest }: Artifact,
  ancestors: readonly string[],
): CatalogError | undefined {
  if (manifest === undefined) return undefined;
  const hidden = new Set(ancestors.filter((ancestor) => ancestor !== id));
  const path = findNamedParent(manifest.values, hidden);
  return path === undefined ? undefined : namesParent(manifest, path);
}

function typesDiffer(child: Artifact, parent: Artifact): CatalogError {
  return new CatalogError(
    'ingest.invalid_artifact',
    `Its type is \`${child.type}\`, but it extends \`${parent.id}\`, which is of type \`${parent.type}\`.`,
    {
      details: { artifact_id: child.id, layer: child.layer },
      suggested_action: 'Extend an artifact of the same type, or remove `extends`.',
    },
  );
}

function unreadable(child: Artifact, problems: readonly { message: string }[]): CatalogError {
  return new CatalogError(
    'ingest.invalid_artifact',
    `After merging with the artifact it extends, the manifest is not valid. ${problems.map(({ message }) => message).join(' ')}`,
    {
      details: { artifact_id: child.id, layer: child.layer },
      suggested_action: 'Change the value in this artifact or in the one it extends.',
    },
  );
}

/** The caller sees this message, so it contains the position but not the id of the parent. */
function namesParent(manifest: Manifest, path: readonly (string | number)[]): CatalogError {
  const place = path.length === 0 ? 'a key' : `\`${path.join('.')}\``;
  return new CatalogError(
    'registry.invalid_argument',
    `${manifest.file} cannot be served: ${place} still names an artifact it extends, which may be hidden from callers.`,
    {
      details: { constraint: 'names_parent' },
      suggested_action: 'Name the parent only under `extends`, without a merge key or an anchor.',
    },
  );
}
