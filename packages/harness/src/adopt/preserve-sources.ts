import type { AuthoredPackage, PackageFile } from '@catalog/core/artifact/types';
import { equalBytes } from '../equal-bytes.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import type { Candidate, SourceFile } from './candidate.ts';
import { comparedValues, type CopyGroup } from './group-copies.ts';
import { manifestOf } from './package-of.ts';
import { createPathSet } from './path-set.ts';

export interface KeptPath {
  /** Path of the kept file, such as `.originals/SKILL.from-cursor.md`. */
  path: string;
  sources: string[];
}

export type KeptFile = KeptPath & PackageFile;

export interface AdoptedPackage extends AuthoredPackage {
  kept: KeptFile[];
}

/** Folder of kept files. Its leading dot excludes it from the package. */
export const ORIGINALS_FOLDER = '.originals';

/** Returns the files to keep, so that with the package nothing of the sources is lost. */
export function preserveSources(group: CopyGroup, made: AuthoredPackage): KeptFile[] {
  const files = filesIn(made);
  const paths = createPathSet();
  const kept: (KeptFile & { of: string })[] = [];
  for (const copy of [group.chosen, ...group.others.map((other) => other.copy)]) {
    for (const file of sourcesOf(copy, group.chosen)) {
      if (isInPackage(file, copy, files)) continue;
      const same = kept.find((one) => one.of === file.path && equalBytes(one.bytes, file.bytes));
      if (same === undefined) {
        const { bytes, executable } = file;
        const path = freePath(file.path, originName(copy), paths.claim);
        kept.push({ path, bytes, executable, sources: [file.source], of: file.path });
      } else {
        same.sources.push(file.source);
        same.executable ||= file.executable;
      }
    }
  }
  return kept.map(({ of: _of, ...file }) => file);
}

/** Returns the files of a copy; its manifest if it has none and its content differs. */
function sourcesOf(copy: Candidate, chosen: Candidate): SourceFile[] {
  const isManifest = copy.preserved_as === 'manifest';
  if (!isManifest || copy === chosen || hasEqualContent(copy, chosen)) return copy.sources;
  const bytes = new TextEncoder().encode(manifestOf(copy));
  return [...copy.sources, { source: copy.path, path: 'ARTIFACT.md', bytes, executable: false }];
}

function hasEqualContent(one: Candidate, other: Candidate): boolean {
  const spelled = (copy: Candidate): string => canonicalJson(comparedValues(copy)) + copy.body;
  return spelled(one) === spelled(other);
}

function filesIn({ manifest, skill, resources }: AuthoredPackage): Map<string, Uint8Array> {
  const files = new Map(resources.map(({ path, bytes }) => [path, bytes]));
  if (manifest !== undefined) files.set('ARTIFACT.md', manifest);
  if (skill !== undefined) files.set('SKILL.md', skill);
  return files;
}

/** Returns true if the package contains a file. A document equals the manifest without its frontmatter. */
function isInPackage(
  { path, bytes }: SourceFile,
  { type, preserved_as }: Candidate,
  files: ReadonlyMap<string, Uint8Array>,
): boolean {
  const isDocument = type !== 'skill' && preserved_as === 'files';
  const held = files.get(isDocument ? 'ARTIFACT.md' : path);
  if (held === undefined || held.length < bytes.length) return false;
  return equalBytes(isDocument ? held.subarray(held.length - bytes.length) : held, bytes);
}

/** Returns the name of an origin, such as `cursor` for `.cursor/skills/review/SKILL.md`. */
function originName({ path, entry, harnesses }: Candidate): string {
  const [, folder] = /^\.?([\w-]+)\//.exec(path) ?? [];
  if (folder !== undefined && folder !== 'config') return folder;
  // Files such as AGENTS.md belong to no single harness.
  const isAtRoot = folder === undefined && entry === null;
  return isAtRoot ? 'workspace' : (harnesses[0] ?? 'workspace');
}

/**
 * Returns a path such as `.originals/scripts/run.from-cursor.sh`. A second file with this name goes to a folder `2`.
 */
function freePath(path: string, origin: string, claim: (path: string) => boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const folder = path.slice(0, path.length - name.length);
  const named = `${folder}${stem}.from-${origin}${name.slice(stem.length)}`;
  for (let count = 1; ; count += 1) {
    const proposed = `${ORIGINALS_FOLDER}/${count === 1 ? '' : `${count}/`}${named}`;
    if (claim(proposed)) return proposed;
  }
}
