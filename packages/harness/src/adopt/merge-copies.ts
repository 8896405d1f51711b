import type { PackageFile } from '@catalog/core/artifact/types';
import { equalBytes } from '../equal-bytes.ts';
import type { Candidate } from './candidate.ts';
import type { CopyGroup } from './group-copies.ts';
import { createPathSet } from './path-set.ts';

/** A file of an artifact that the chosen copy does not have. */
export interface MergedFile {
  /** Relative to the artifact. */
  path: string;
  /** Path in the workspace. */
  source: string;
}

/** The chosen copy with the files that only other copies have. */
export interface MergedCopies {
  candidate: Candidate;
  merged: MergedFile[];
}

/**
 * Merges the bundled files of all copies of a skill. The file of the chosen copy keeps a path that
 * several copies use. A file is not merged if another one differs from its path only in case, or is a
 * folder in the other copy: no package can hold both. For other types the files of the chosen copy
 * are all its artifact runs or refers to.
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
