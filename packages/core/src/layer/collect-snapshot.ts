import { compareBytes } from '../artifact/compare-bytes.ts';
import type { AuthoredPackage, PackageFile } from '../artifact/types.ts';
import { parentPath } from '../text/slash-path.ts';
import { artifactOf, type LayerEntry } from './place-entries.ts';
import type { AuthoredDomain, LayerSnapshot, RefusedEntry } from './types.ts';

/** Maximum size of a file in a layer. A larger file is rejected without being read. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reasons for rejecting an entry, as phrases that follow its path. */
export const REFUSAL = {
  special: 'is neither a file nor a folder (a pipe, socket, or device)',
  submodule:
    'is a submodule, which catalog does not follow; register its repository as a separate layer',
  too_large: `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB; split it, or have a script in the artifact download it`,
  not_a_file: 'is not a regular file',
  path_too_long: 'has a path too long for this system',
  link_nowhere: 'is a broken link',
  link_circle: 'is a link in a cycle',
  link_outside: 'is a link that leaves the layer',
  link_to_git: 'is a link into the .git folder',
} as const;

export type EntryContent =
  | { kind: 'file'; bytes: Uint8Array; executable: boolean }
  | { kind: 'refused'; reason: string };

interface PackageDraft {
  manifest: Uint8Array | undefined;
  skill: Uint8Array | undefined;
  resources: PackageFile[];
}

/** Collects the entries of a layer. Their order does not affect the result. */
export interface SnapshotCollector {
  take(entry: LayerEntry, content: EntryContent): void;
  refuse(path: string, artifact_id: string | undefined, reason: string): void;
  finish(): LayerSnapshot;
}

export function collectSnapshot(layer: string): SnapshotCollector {
  const drafts = new Map<string, PackageDraft>();
  const domains: AuthoredDomain[] = [];
  const refused: RefusedEntry[] = [];

  function refuse(path: string, artifact_id: string | undefined, reason: string): void {
    refused.push({
      path,
      code: 'ingest.source_unreachable',
      reason,
      ...(artifact_id === undefined ? {} : { artifact_id }),
    });
  }

  return {
    refuse,
    take: (entry, content) => {
      if (content.kind === 'refused') {
        refuse(entry.path, artifactOf(entry), content.reason);
      } else if (entry.package === undefined) {
        domains.push({ path: parentPath(entry.path), bytes: content.bytes });
      } else {
        place(drafts, entry, entry.package, content);
      }
    },
    finish: () => ({
      layer,
      packages: toPackages(drafts, layer),
      domains: domains.sort(byPath),
      refused: refused.sort(byPath),
    }),
  };
}

function toPackages(drafts: Map<string, PackageDraft>, layer: string): AuthoredPackage[] {
  const packages: AuthoredPackage[] = [];
  for (const [id, { manifest, skill, resources }] of drafts) {
    packages.push({ id, layer, manifest, skill, resources: resources.sort(byPath) });
  }
  return packages.sort((a, b) => compareBytes(a.id, b.id));
}

function byPath(a: { path: string }, b: { path: string }): number {
  return compareBytes(a.path, b.path);
}

/** Adds a file to its package. A package at the root, which has no id, is rejected later. */
function place(
  drafts: Map<string, PackageDraft>,
  entry: LayerEntry,
  owner: string,
  { bytes, executable }: { bytes: Uint8Array; executable: boolean },
): void {
  let draft = drafts.get(owner);
  if (draft === undefined) {
    draft = { manifest: undefined, skill: undefined, resources: [] };
    drafts.set(owner, draft);
  }
  const path = owner === '' ? entry.path : entry.path.slice(owner.length + 1);
  if (path === 'ARTIFACT.md') draft.manifest = bytes;
  else if (path === 'SKILL.md') draft.skill = bytes;
  else draft.resources.push({ path, bytes, executable });
}
