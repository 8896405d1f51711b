import type { PackageFile } from '@catalog/core/artifact/types';
import { equalBytes } from '../equal-bytes.ts';
import type { Candidate } from './candidate.ts';
import type { CopyGroup } from './group-copies.ts';
import { createPathSet } from './path-set.ts';

export interface MergedFile {
  path: string;
  source: string;
}

export interface MergedCopies {
  candidate: Candidate;
  merged: MergedFile[];
}

/**
 * Merges copies of a skill. If several have a path, the file of the chosen copy is used. A file is left out if its path
 * differs from another only in case, or is a folder in another copy. Other types are not merged, because the chosen
 * copy has all its files.
 */
export function mergeCopies({ chosen, others }: CopyGroup): MergedCopies {
  const paths = createPathSet(['ARTIFACT.md', 'SKILL.md']);
  const files = new Map<string, PackageFile>();
  const changes: string[] = [];
  const merged: MergedFile[] = [];
  const copies = chosen.type === 'skill' ? [chosen, ...others.map(({ copy }) => copy)] : [chosen];
  for (const copy of copies) {
    for (const file of copy.resources) {
      const present = files.get(file.path);
      if (present === undefined && paths.claim(file.path)) {
        files.set(file.path, file);
        if (copy !== chosen) merged.push({ path: file.path, source: sourceOf(copy, file.path) });
      } else if (present !== undefined && equalBytes(present.bytes, file.bytes)) {
        if (present.executable || !file.executable) continue;
        files.set(file.path, file);
        changes.push(`${file.path} is executable, as ${sourceOf(copy, file.path)} is`);
      }
    }
  }
  const candidate = {
    ...chosen,
    resources: [...files.values()],
    changes: [...chosen.changes, ...changes],
  };
  return { candidate, merged };
}

function sourceOf({ sources, path: copied }: Candidate, path: string): string {
  return sources.find((file) => file.path === path)?.source ?? copied;
}
