import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { fetchProblem } from './fetch-problem.ts';
import { fetchObjects, type Repository } from './fetch.ts';
import type { GitObject, ObjectReader } from './object-reader.ts';
import { parseTree, type TreeItem } from './parse-tree.ts';
import { tooMuch, unreachable } from '../unreachable.ts';

/** Contents of a local repository. Missing objects are fetched on demand. */
export interface Contents {
  loadTrees(trees: readonly string[]): Promise<void>;
  itemsOf(tree: string): readonly TreeItem[];
  /** Returns the sizes of files. Omits files that cannot be fetched. */
  sizesOf(files: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns the contents of files. Call `sizesOf` first, which fetches them. */
  bytesOf(files: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Maximum number of files that are fetched one by one, which happens if they are too large together. */
const MAX_SINGLE_FETCHES = 20;

export function openContents(
  repository: Repository,
  reader: ObjectReader,
  signal: AbortSignal,
): Contents {
  const { layer } = repository;
  const trees = new Map<string, readonly TreeItem[]>();

  async function readTrees(wanted: readonly string[]): Promise<string[]> {
    const found = await reader.contents(wanted);
    return wanted.filter((name, index) => {
      const items = parseFolder(found[index], layer);
      if (items !== undefined) trees.set(name, items);
      return items === undefined;
    });
  }

  async function readSizes(files: readonly string[], into: Map<string, number>): Promise<string[]> {
    const found = await reader.headers(files);
    return files.filter((file, index) => {
      const size = found[index]?.size;
      if (size !== undefined) into.set(file, size);
      return size === undefined;
    });
  }

  async function fetchWithinLimit(objects: readonly string[], max_bytes: number): Promise<boolean> {
    const outcome = await fetchObjects(repository, objects, max_bytes, signal);
    if (outcome.status !== 0 && !outcome.too_large) {
      throw fetchProblem(layer, outcome, repository.is_kept);
    }
    return outcome.status === 0;
  }

  /** Fetches files. An oversized file does not prevent the others from being fetched. */
  async function fetchFiles(files: readonly string[]): Promise<void> {
    if (await fetchWithinLimit(files, repository.most_bytes)) return;
    if (files.length > MAX_SINGLE_FETCHES) throw tooMuch(layer);
    for (const file of files) await fetchWithinLimit([file], MAX_FILE_BYTES);
  }

  return {
    loadTrees: async (wanted) => {
      const unknown = [...new Set(wanted)].filter((tree) => !trees.has(tree));
      const missing = await readTrees(unknown);
      if (missing.length === 0) return;
      if (!(await fetchWithinLimit(missing, repository.most_bytes))) throw tooMuch(layer);
      if ((await readTrees(missing)).length > 0) throw incomplete(layer);
    },
    itemsOf: (tree) => trees.get(tree) ?? [],
    sizesOf: async (files) => {
      const sizes = new Map<string, number>();
      const missing = await readSizes(files, sizes);
      if (missing.length === 0) return sizes;
      await fetchFiles(missing);
      await readSizes(missing, sizes);
      return sizes;
    },
    bytesOf: async (files) => {
      const found = await reader.contents(files);
      const bytes = new Map<string, Uint8Array>();
      for (const object of found) if (object !== undefined) bytes.set(object.object, object.bytes);
      return bytes;
    },
  };
}

function parseFolder(object: GitObject | undefined, layer: LayerRecord): TreeItem[] | undefined {
  if (object === undefined) return undefined;
  const items = object.type === 'tree' ? parseTree(object.bytes) : undefined;
  if (items === undefined) throw incomplete(layer);
  return items;
}

function incomplete(layer: LayerRecord): CatalogError {
  return unreachable(
    layer,
    'its repository is missing part of the commit, or the commit is corrupt',
    'Run `git fsck` on the repository, then ingest again.',
  );
}
