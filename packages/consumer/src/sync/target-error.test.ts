import { expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { writingTo } from './target-error.ts';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: it did not work`), { code, syscall: 'write' });
}

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'it is read-only'],
  ['EACCES', 'permission denied'],
])(
  'writingTo converts %s into an error with the reason and the next step',
  async (code, reason) => {
    const run = writingTo('work', () => Promise.reject(systemError(code)));
    await expect(run).rejects.toMatchObject({
      code: 'materialize.target_unwritable',
      message: `Cannot write to work: ${reason} (${code}).`,
      details: { directory: 'work', reason: code },
    });
  },
);

test('writingTo rethrows an error without a known code', async () => {
  for (const error of [
    new TypeError('a defect'),
    systemError('ERR_INVALID_ARG_TYPE'),
    new CatalogError('registry.not_found', 'x', { details: { id: 'x' } }),
  ]) {
    await expect(writingTo('work', () => Promise.reject(error))).rejects.toBe(error);
  }
});
