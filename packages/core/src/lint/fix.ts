import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact, Manifest } from '../artifact/types.ts';
import type { LintCode } from './rules.ts';
import { listRepairs, type Repair } from './list-repairs.ts';

/** One file of a package after its repair, and what was repaired in it. */
export interface FixedFile {
  /** Relative to the layer root, with `/`. */
  file: string;
  text: string;
  fixed: { code: LintCode; message: string }[];
}

/** No artifact has as many keys that can be repaired. */
const MOST_REPAIRS = 64;

/**
 * Repairs what can be repaired in one way only, by edits of text that leave everything else as it
 * was. After each, the package is read again: a repair that would change anything but what it says
 * is left to the author. Nothing is left to do after it, so fixing twice is fixing once.
 */
export function fixArtifact(artifact: Artifact): FixedFile[] {
  const files = new Map<string, FixedFile>();
  let current = artifact;
  for (let count = 0; count < MOST_REPAIRS; count += 1) {
    const step = repairOnce(current);
    if (step === undefined) break;
    const { code, message, manifest, text } = step.repair;
    const { fixed = [] } = files.get(manifest.file) ?? {};
    files.set(manifest.file, { file: manifest.file, text, fixed: [...fixed, { code, message }] });
    current = step.artifact;
  }
  return [...files.values()];
}

function repairOnce(artifact: Artifact): { repair: Repair; artifact: Artifact } | undefined {
  for (const repair of listRepairs(artifact)) {
    const repaired = apply(artifact, repair);
    if (repaired !== undefined) return { repair, artifact: repaired };
  }
  return undefined;
}

/** The artifact as it would be read after a repair; undefined where that is not what was meant. */
function apply(artifact: Artifact, repair: Repair): Artifact | undefined {
  const { id, layer, resources } = artifact;
  const isManifest = artifact.manifest === repair.manifest;
  const reading = readArtifact({
    id,
    layer,
    resources,
    manifest: toBytes(isManifest ? repair.text : artifact.manifest?.text),
    skill: toBytes(isManifest ? artifact.skill?.text : repair.text),
  });
  if (reading.kind === 'refused') return undefined;
  const edited = isManifest ? reading.artifact.manifest : reading.artifact.skill;
  return edited !== undefined && isMeant(edited, repair) ? reading.artifact : undefined;
}

function isMeant(edited: Manifest, { values, body }: Repair): boolean {
  return edited.body === body && JSON.stringify(edited.values) === JSON.stringify(values);
}

function toBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text);
}
