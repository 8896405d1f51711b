import { CatalogError } from '@catalog/contract/errors/catalog-error';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'a file is too large for it',
  EROFS: 'it is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  // Creating a folder on a read-only file system fails with this code too.
  ENOENT: 'a parent folder is missing, or it is read-only',
  ENOTDIR: 'a file is in place of a folder',
  EEXIST: 'a file is in place of a folder',
  ENAMETOOLONG: 'a name is too long for it',
  ELOOP: 'links form a cycle',
};

export async function writingTo<T>(directory: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const code = codeOf(error);
    const reason = code === undefined ? undefined : REASONS[code];
    if (code === undefined || reason === undefined) throw error;
    throw new CatalogError(
      'materialize.target_unwritable',
      `Cannot write to ${directory}: ${reason} (${code}).`,
      { details: { directory, reason: code }, cause: error },
    );
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof CatalogError) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
