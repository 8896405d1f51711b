import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compileGlobs, globProblem } from '@catalog/core/glob/glob';
import type { CatalogListing } from '../source/catalog-source.ts';

/** Refuses patterns over ids that are malformed or match no artifact of the registry. */
export function refuseUnmatched(
  patterns: readonly string[],
  { entries }: CatalogListing,
  flag: string,
): void {
  for (const pattern of patterns) {
    const problem = globProblem(pattern);
    if (problem !== undefined) {
      throw new CatalogError(
        'config.invalid',
        `The pattern \`${pattern}\` of ${flag} ${problem}.`,
        {
          details: { value: pattern },
          suggested_action: 'Write an id or a glob over ids, such as ops/**.',
        },
      );
    }
    const matches = compileGlobs([pattern], 'scope');
    if (entries.some(({ id }) => matches(id))) continue;
    throw new CatalogError('registry.not_found', `${flag} ${pattern} matches no artifact.`, {
      details: { id: pattern },
      suggested_action: 'Run `catalog sync --dry-run` to list the artifacts that need approval.',
    });
  }
}
