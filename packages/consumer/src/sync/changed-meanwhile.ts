import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { KeptFile } from './kept-files.ts';

/** Creates the error for files that another program saved during the run (SPEC-90). */
export function changedMeanwhile(
  directory: string,
  paths: readonly string[],
  kept: readonly KeptFile[] = [],
): CatalogError {
  const [path = ''] = paths;
  const list = paths.length === 1 ? '' : `\n${paths.map((one) => `  ${one}`).join('\n')}`;
  const what = paths.length === 1 ? path : `${paths.length} files`;
  const copies = kept.map(({ path: of, kept_at }) => `\n  ${of}: another version is in ${kept_at}`);
  return new CatalogError(
    'materialize.target_invalid',
    `${what} in ${directory} changed during the sync, so catalog left ${paths.length === 1 ? 'it' : 'them'} unchanged.${list}${copies.join('')}`,
    {
      details: { path, directory, ...(kept.length === 0 ? {} : { kept: [...kept] }) },
      suggested_action: 'Run the command again.',
    },
  );
}
