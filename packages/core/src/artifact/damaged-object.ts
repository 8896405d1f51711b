import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** What is stored under a hash, and does not have it; any other failure says nothing about the bytes. */
export class DamagedObject extends CatalogError {
  constructor(content_hash: string) {
    super(
      'registry.unavailable',
      `The stored bytes of ${content_hash} are damaged, and were not served.`,
      {
        suggested_action:
          'Tell the operator of the registry: the object has to be copied back from a backup; catalog admin verify names it.',
      },
    );
    this.name = 'DamagedObject';
  }
}
