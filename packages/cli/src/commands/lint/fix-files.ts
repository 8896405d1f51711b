import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readLocalFile } from '@catalog/consumer/local-file';
import { refuseDirectory } from '@catalog/consumer/paths/refuse-directory';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { fixArtifact } from '@catalog/core/lint/fix';
import type { Session } from '../../command/session.ts';
import { replaceFiles } from '../write-new-file.ts';
import type { Findings } from './find-problems.ts';

export interface FixedPath {
  path: string;
  fixes: string[];
}

export async function fixFiles(
  { diagnostics, roots }: Findings,
  session: Pick<Session, 'cwd' | 'home' | 'note'>,
): Promise<FixedPath[]> {
  for (const root of roots.values()) refuseDirectory(root, session.cwd, 'author');
  const packages = new Map(
    diagnostics.map(({ layer, artifact_id: id }) => [`${layer} ${id}`, { layer, id }]),
  );
  const fixed: FixedPath[] = [];
  for (const [root, all] of Map.groupBy(packages.values(), ({ layer }) => roots.get(layer) ?? '')) {
    const repaired = all.flatMap((one) => repair(root, one));
    await replaceFiles(repaired, { root, purpose: 'author' }, session);
    fixed.push(...repaired.map(({ path, fixes }) => ({ path, fixes })));
  }
  return fixed;
}

interface RepairedFile extends FixedPath {
  text: string;
  before: Uint8Array | undefined;
}

function repair(root: string, { layer, id }: { layer: string; id: string }): RepairedFile[] {
  const manifest = getRegularFile(join(root, id, 'ARTIFACT.md'));
  const skill = getRegularFile(join(root, id, 'SKILL.md'));
  const reading = readArtifact({ id, layer, manifest, skill, resources: [] });
  if (reading.kind === 'refused') return [];
  return fixArtifact(reading.artifact).map(({ file, text, fixed }) => ({
    path: join(root, file),
    text,
    before: file.endsWith('SKILL.md') ? skill : manifest,
    fixes: fixed.map(({ message }) => message),
  }));
}

/** Reads a regular file. Ignores links, because their target may belong to another user. */
function getRegularFile(path: string): Uint8Array | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const file = readLocalFile(path);
  return file.kind === 'file' ? file.bytes : undefined;
}
