import { ingestWebhook as endpoint } from '@catalog/contract/endpoints/layers';
import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { acceptDelivery } from '../../registry/ingest/accept-delivery.ts';
import { defineRoute, json } from '../route.ts';

export const ingestWebhookRoute = defineRoute(endpoint, async (call) => {
  const { registry, context, params, query } = call;
  const accepted = await acceptDelivery(registry, context, {
    layer: params.layer,
    key: query.key,
    header: (name) => call.header(name),
    readBody: () => call.readBytes(REQUEST_BODY_MAX_BYTES),
  });
  return json(accepted, 202);
});
