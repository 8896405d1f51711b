import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Thrown if a host does not respond, so that other sources of the same host probably fail too. */
export class UnresponsiveHost extends CatalogError {
  readonly what: string;

  constructor(layer: string, what: string, suggested_action: string, cause: unknown) {
    super('ingest.source_unreachable', `Layer ${layer}: ${what}.`, {
      details: { layer, reason: 'unresponsive_host' },
      suggested_action,
      cause,
    });
    this.what = what;
  }

  of(layer: string): UnresponsiveHost {
    return new UnresponsiveHost(layer, this.what, this.suggested_action, this.cause);
  }
}
