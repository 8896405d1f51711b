import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compileGlobs, globProblem } from '@catalog/core/glob/glob';
import type { RequestFacts } from './rule.ts';

const FLAG = '--approve';

export function refuseUnmatched({
  options: { approve = [] },
  listing: { entries },
}: RequestFacts): CatalogError | undefined {
  for (const pattern of approve) {
    const problem = globProblem(pattern);
    if (problem !== undefined) {
      return new CatalogError(
        'config.invalid',
        `The pattern \`${pattern}\` of ${FLAG} ${problem}.`,
        {
          details: { value: pattern },
          suggested_action: 'Write an id or a glob over ids, such as ops/**.',
        },
      );
    }
    const matches = compileGlobs([pattern], 'scope');
    if (entries.some(({ id }) => matches(id))) continue;
    return new CatalogError('registry.not_found', `${FLAG} ${pattern} matches no artifact.`, {
      details: { id: pattern },
      suggested_action: 'Run `catalog sync --dry-run` to list the artifacts that need approval.',
    });
  }
  return undefined;
}
