import { CatalogError } from '@catalog/contract/errors/catalog-error';

/**
 * Stored content that does not match its hash. Other failures do not prove that the bytes are
 * damaged.
 */
export class DamagedObject extends CatalogError {
  /** File or key that holds the object, for operators; responses do not show it. */
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
