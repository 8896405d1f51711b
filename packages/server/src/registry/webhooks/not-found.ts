import { CatalogError } from '@catalog/contract/errors/catalog-error';

export function receiverNotFound(id: string): CatalogError {
  return new CatalogError('registry.not_found', `Webhook receiver not found: \`${id}\`.`, {
    details: { id },
    suggested_action: 'List the receivers with `GET /v1/webhooks` or `catalog webhook list`.',
  });
}

export function deliveryNotFound(id: string): CatalogError {
  return new CatalogError('registry.not_found', `Webhook delivery not found: \`${id}\`.`, {
    details: { id },
    suggested_action:
      'List the deliveries of the receiver; those that ended more than seven days ago are removed.',
  });
}
