import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Thrown if stored content does not match its hash. */
export class DamagedObject extends CatalogError {
  /** File or key of the object, for operators only; responses do not contain this location. */
  readonly location: string;

  constructor(content_hash: string, location: string) {
    super(
      'registry.unavailable',
      `The stored object ${content_hash} is corrupt and was not served.`,
      {
        suggested_action:
          'Ask the operator to restore the object from a backup; `catalog admin verify` lists corrupt objects.',
      },
    );
    this.name = 'DamagedObject';
    this.location = location;
  }
}
