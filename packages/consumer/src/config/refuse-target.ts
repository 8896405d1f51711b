import { CatalogError } from '@catalog/contract/errors/catalog-error';

export type Refuse = (problem: string, advice: string, ...fields: string[]) => CatalogError;

export function refuseTarget(target: string, file: string): Refuse {
  return (problem, advice, ...fields) =>
    new CatalogError('config.invalid', `${file}: target ${target} ${problem}.`, {
      details: { file, target, fields },
      suggested_action: advice,
    });
}
