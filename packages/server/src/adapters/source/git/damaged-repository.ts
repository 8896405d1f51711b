import type { CatalogError } from '@catalog/contract/errors/catalog-error';

/** A failure that a repository kept from earlier may have caused; fetched anew it may not return. */
export class DamagedRepository extends Error {
  /** What to say if it does. */
  readonly problem: CatalogError;

  constructor(problem: CatalogError) {
    super(problem.message, { cause: problem });
    this.name = 'DamagedRepository';
    this.problem = problem;
  }
}
