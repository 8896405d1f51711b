import {
  type EntryContent,
  MAX_FILE_BYTES,
  REFUSAL,
  type SnapshotCollector,
} from '@catalog/core/layer/collect-snapshot';
import { entryProblem, keyOf, type LayerEntry } from '@catalog/core/layer/place-entries';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import { tooMuch } from '../unreachable.ts';
import type { Contents } from './contents.ts';
import type { TreeItem } from './parse-tree.ts';
import { type LinkContext, MAX_TARGET_LENGTH, resolveLink } from './resolve-link.ts';
import { diagnose } from '@catalog/core/manifest/diagnose';
import { WHOLE_FILE } from '@catalog/core/manifest/position';

const ADVICE = {
  lfs_pointer: {
    message:
      'is a Git LFS pointer: the file itself is not in the repository, so the pointer is served instead',
    fix: 'Commit the file itself (`git lfs migrate export`), or have a script in the artifact download it.',
  },
  submodule: {
    message: 'is a submodule, which catalog does not follow',
    fix: 'If it contains artifacts, register its repository as a separate layer.',
  },
} as const;

function advise(what: keyof typeof ADVICE, entry: LayerEntry, layer: string): Diagnostic {
  const { message, fix } = ADVICE[what];
  return diagnose(
    { code: 'ingest.source_unreachable', message: `${entry.path} ${message}.`, fix },
    'warning',
    WHOLE_FILE,
    { file: entry.path, artifact_id: keyOf(entry), layer },
  );
}

const LFS_FIRST_LINE = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
const MAX_LFS_POINTER_BYTES = 1024;

function isLfsPointer(bytes: Uint8Array): boolean {
  return (
    bytes.length < MAX_LFS_POINTER_BYTES &&
    LFS_FIRST_LINE.equals(bytes.subarray(0, LFS_FIRST_LINE.length))
  );
}

export interface PlacedEntry {
  entry: LayerEntry;
  item: TreeItem;
}

export interface EntriesRequest {
  layer: LayerRecord;
  contents: Contents;
  commit_tree: string;
  most_bytes: number;
}

export async function readEntries(
  request: EntriesRequest,
  entries: readonly PlacedEntry[],
  collector: SnapshotCollector,
): Promise<Diagnostic[]> {
  const { layer, contents } = request;
  const advisories: Diagnostic[] = [];
  const files: PlacedEntry[] = [];
  for (const { entry, item } of entries) {
    const target = await classifyEntry(request, entry, item);
    if (target.kind === 'file') files.push({ entry, item: target.item });
    else if (target.kind === 'refused') collector.take(entry, target);
    else if (item.kind === 'submodule') advisories.push(advise('submodule', entry, layer.id));
  }
  const sizes = await contents.sizesOf(uniqueObjects(files));
  refuseTooMuch(request, files, sizes);
  const wanted = files.filter(({ item }) => (sizes.get(item.object) ?? Infinity) <= MAX_FILE_BYTES);
  const bytes = await contents.bytesOf(uniqueObjects(wanted));
  for (const { entry, item } of files) {
    const content = contentOf(item, bytes.get(item.object));
    collector.take(entry, content);
    if (content.kind === 'file' && isLfsPointer(content.bytes)) {
      advisories.push(advise('lfs_pointer', entry, layer.id));
    }
  }
  return advisories;
}

function contentOf(item: TreeItem, bytes: Uint8Array | undefined): EntryContent {
  // The file was excluded by the filter and is still missing after the fetch.
  if (bytes === undefined) return { kind: 'refused', reason: REFUSAL.too_large };
  return { kind: 'file', bytes, executable: item.executable };
}

function uniqueObjects(entries: readonly PlacedEntry[]): string[] {
  return [...new Set(entries.map(({ item }) => item.object))];
}

function refuseTooMuch(
  { layer, most_bytes }: EntriesRequest,
  files: readonly PlacedEntry[],
  sizes: ReadonlyMap<string, number>,
): void {
  let total = 0;
  for (const { item } of files) total += Math.min(sizes.get(item.object) ?? 0, MAX_FILE_BYTES);
  if (total > most_bytes) throw tooMuch(layer);
}

type ClassifiedEntry =
  | { kind: 'file'; item: TreeItem }
  | { kind: 'refused'; reason: string }
  | { kind: 'stray' };

async function classifyEntry(
  request: EntriesRequest,
  entry: LayerEntry,
  item: TreeItem,
): Promise<ClassifiedEntry> {
  const problem = entryProblem(entry);
  if (problem !== undefined) return { kind: 'refused', reason: problem };
  if (item.kind === 'file') return { kind: 'file', item };
  if (item.kind === 'link') return followLink(request, entry, item);
  if (item.kind !== 'submodule') return { kind: 'refused', reason: REFUSAL.special };
  return entry.package === undefined && entry.name !== 'DOMAIN.md'
    ? { kind: 'stray' }
    : { kind: 'refused', reason: REFUSAL.submodule };
}

/** Follows a link to a file of the same layer. Rejects all other targets. */
async function followLink(
  { layer, contents, commit_tree }: EntriesRequest,
  entry: LayerEntry,
  link: TreeItem,
): Promise<ClassifiedEntry> {
  const context: LinkContext = {
    contents,
    commit_tree,
    targetOf: (item) => targetOf(contents, item),
  };
  const prefix = layer.root === '' ? '' : `${layer.root}/`;
  const target = await resolveLink(context, prefix + entry.path, link);
  const isFolder = target.kind === 'found' && target.item.kind === 'folder';
  // Outside packages, only links to folders matter, because a folder may contain packages.
  if (entry.package === undefined && entry.name !== 'DOMAIN.md' && !isFolder) {
    return { kind: 'stray' };
  }
  if (target.kind === 'lost') return { kind: 'refused', reason: target.reason };
  if (target.path === layer.root || !target.path.startsWith(prefix)) {
    return { kind: 'refused', reason: REFUSAL.link_outside };
  }
  if (target.item.kind === 'file') return { kind: 'file', item: target.item };
  return { kind: 'refused', reason: `is a link to a target that ${REFUSAL.not_a_file}` };
}

async function targetOf(contents: Contents, link: TreeItem): Promise<string | undefined> {
  const size = (await contents.sizesOf([link.object])).get(link.object) ?? Infinity;
  if (size > MAX_TARGET_LENGTH) return undefined;
  const bytes = (await contents.bytesOf([link.object])).get(link.object);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}
