import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Primary result codes of problems with the file or its disk. */
const FILE_PROBLEMS: ReadonlyMap<number, string> = new Map([
  [5, 'another program has locked it'],
  [7, 'out of memory'],
  [8, 'it is not writable'],
  [10, 'the disk reported an error'],
  [11, 'its file is corrupt'],
  [13, 'the disk is full'],
  [14, 'its file cannot be opened'],
  [26, 'its file is not a database'],
]);

export function describeFileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The low byte is the primary result code.
  return typeof error.errcode === 'number' ? FILE_PROBLEMS.get(error.errcode & 0xff) : undefined;
}

export function translateError(error: unknown): Error {
  const trouble = describeFileProblem(error);
  if (trouble === undefined) return error instanceof Error ? error : new Error(String(error));
  return new CatalogError(
    'registry.unavailable',
    `The metadata store is unavailable: ${trouble}.`,
    {
      cause: error,
    },
  );
}
