import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact, Manifest } from '../artifact/types.ts';
import type { LintCode } from './rules.ts';
import { listRepairs, type Repair } from './list-repairs.ts';

export interface FixedFile {
  file: string;
  text: string;
  fixed: { code: LintCode; message: string }[];
}

/** More than the number of keys that can be repaired in an artifact. */
const MAX_REPAIRS = 64;

/**
 * Applies repairs that have only one solution. The package is parsed after each repair, which is skipped if it has any
 * other effect. A second run changes nothing.
 */
export function fixArtifact(artifact: Artifact): FixedFile[] {
  const files = new Map<string, FixedFile>();
  let current = artifact;
  for (let count = 0; count < MAX_REPAIRS; count += 1) {
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
  return edited !== undefined && isExpectedResult(edited, repair) ? reading.artifact : undefined;
}

function isExpectedResult(edited: Manifest, { values, body }: Repair): boolean {
  return edited.body === body && JSON.stringify(edited.values) === JSON.stringify(values);
}

function toBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text);
}
