import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';

/** Number of artifacts per source; small enough for a check to load all of them. */
const ARTIFACTS = 12;

/** Includes a file that is too large for an inline response in every third artifact. */
export function artifactFiles(index: number, revision: number): Record<string, string> {
  const version = versionOf(revision);
  const manifest = [
    '---',
    'type: rule',
    `version: ${version}`,
    `name: rule-${index}`,
    `description: What to do about case ${index} in its edition ${revision}.`,
    'rule_mode: always',
    '---',
    `Do what edition ${revision} says.`,
    '',
  ].join('\n');
  const files: Record<string, string> = {
    'ARTIFACT.md': manifest,
    'references/notes.md': `Notes of ${version}.\n`,
  };
  if (index % 3 === 0) {
    files['assets/large.txt'] = `${version}\n`.repeat(INLINE_CUTOFF_BYTES / 5);
  }
  return files;
}

export interface Edition {
  /** The id, and the path relative to the root of its source. */
  path: string;
  revision: number;
  files: Record<string, string>;
}

/** Revisions increase across all runs of the registry, so that each has only one content. */
export interface Editions {
  next(prefix: string): Edition;
}

export function createEditions(): Editions {
  let revision = 0;
  return {
    next(prefix) {
      revision += 1;
      const index = revision % ARTIFACTS;
      return {
        path: `${prefix}/rule-${index}`,
        revision,
        files: artifactFiles(index, revision),
      };
    },
  };
}

function versionOf(revision: number): string {
  return `1.0.${revision}`;
}

export function revisionOf(version: string): number {
  return Number(version.slice(version.lastIndexOf('.') + 1));
}

export function pinOf({ path, revision }: Edition): string {
  return `${path}@${versionOf(revision)}`;
}

/**
 * Writes each file atomically, and the manifest last, so that its version is never combined with files
 * of another version.
 */
export function writeArtifact(
  folder: string,
  path: string,
  files: Readonly<Record<string, string>>,
): void {
  const temporary = `${folder}.tmp`;
  const names = Object.keys(files).sort(
    (a, b) => Number(a === 'ARTIFACT.md') - Number(b === 'ARTIFACT.md'),
  );
  for (const name of names) {
    const file = join(folder, path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, files[name] ?? '');
    renameSync(temporary, file);
  }
}
