import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** What is stored under a hash, and does not have it; any other failure says nothing about the bytes. */
export class DamagedObject extends CatalogError {
  constructor(content_hash: string) {
    super(
      'registry.unavailable',
      `The stored object ${content_hash} is corrupt and was not served.`,
      {
        suggested_action:
          'Ask the operator to restore the object from a backup; `catalog admin verify` lists corrupt objects.',
      },
    );
    this.name = 'DamagedObject';
  }
}
