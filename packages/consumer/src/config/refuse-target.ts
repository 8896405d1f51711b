import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Refuses a target by what is wrong with it, what to change, and the keys it is about. */
export type Refuse = (problem: string, advice: string, ...fields: string[]) => CatalogError;

export function refuseTarget(target: string, file: string): Refuse {
  return (problem, advice, ...fields) =>
    new CatalogError('config.invalid', `${file}: target ${target} ${problem}.`, {
      details: { file, target, fields },
      suggested_action: advice,
    });
}
