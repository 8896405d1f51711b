import type { Lineage } from '@catalog/contract/records/artifact';
import type { MergeRule } from '../artifact/frontmatter-keys.ts';
import { ARTIFACT_KEYS, SHARED_KEYS, SKILL_KEYS } from '../artifact/frontmatter-keys.ts';
import type { Json, JsonObject } from '../json.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import type { Manifest } from '../artifact/types.ts';

interface ServedTexts {
  manifest: string | null;
  skill: string | null;
}

/** Origin of a field: `from` contains positions in the chain of artifacts. */
interface FieldOrigin {
  name: string;
  /** Positions, nearest first; 0 is the artifact itself. */
  from: number[];
}

export interface ChainLink {
  place: Lineage['parents'][number];
  texts: ServedTexts;
}

/** Describes the parents of an artifact and where its fields come from. `parents` are nearest first. */
export function describeLineage(artifact: ChainLink, parents: readonly ChainLink[]): Lineage {
  const chain = [artifact, ...parents];
  const origins = findFieldOrigins(chain.map(({ texts }) => texts));
  return {
    ...artifact.place,
    parents: parents.map(({ place }) => place),
    fields: origins.map(({ name, from }) => ({
      name,
      from: from.flatMap((at) => chain[at]?.place ?? []),
    })),
  };
}

const COMBINING: ReadonlySet<MergeRule> = new Set([
  'union',
  'concat',
  'intersection',
  'mcp-servers',
  'runtime-requirements',
]);

/**
 * Finds the origins of fields. `chain` contains the artifact and its parents, nearest first. A field that equals the
 * parent's counts as inherited, so fields of parents that are left out appear as the artifact's own.
 */
function findFieldOrigins(chain: readonly ServedTexts[]): FieldOrigin[] {
  const links = chain.map(readValues);
  const [first] = links;
  if (first === undefined) return [];
  return [...first.keys()].map((name) => ({ name, from: contributors(links, name, 0) }));
}

function contributors(
  links: readonly ReadonlyMap<string, Json>[],
  name: string,
  at: number,
): number[] {
  const own = links[at]?.get(name);
  const parent = links[at + 1]?.get(name);
  if (parent === undefined) return [at];
  if (JSON.stringify(own) === JSON.stringify(parent)) return contributors(links, name, at + 1);
  const rule = (SKILL_KEYS.get(name) ?? ARTIFACT_KEYS.get(name))?.merge ?? 'child';
  return COMBINING.has(rule) ? [at, ...contributors(links, name, at + 1)] : [at];
}

const BODY_FIELD = 'body';

/** Keys that identify the artifact and are never inherited. */
const IDENTITY: ReadonlySet<string> = new Set(['type', 'version']);

function readValues({ manifest, skill }: ServedTexts): ReadonlyMap<string, Json> {
  const artifact = parse(manifest, 'ARTIFACT.md');
  const bundle = parse(skill, 'SKILL.md');
  const values = new Map<string, Json>();
  for (const [key, value] of Object.entries(valuesOf(artifact))) {
    // In a skill, `SKILL.md` defines these keys.
    if (bundle === undefined || !SHARED_KEYS.has(key)) values.set(key, value);
  }
  for (const [key, value] of Object.entries(valuesOf(bundle))) values.set(key, value);
  for (const key of IDENTITY) values.delete(key);
  const body = (bundle ?? artifact)?.body.trim() ?? '';
  if (body !== '') values.set(BODY_FIELD, body);
  return values;
}

function valuesOf(manifest: Manifest | undefined): JsonObject {
  const none: JsonObject = Object.create(null);
  return manifest?.values ?? none;
}

function parse(text: string | null, file: string): Manifest | undefined {
  if (text === null) return undefined;
  const reading = readManifest(new TextEncoder().encode(text), {
    file,
    artifact_id: '',
    layer: '',
  });
  return reading.kind === 'refused' ? undefined : reading.manifest;
}
