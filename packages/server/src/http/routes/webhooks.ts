import * as endpoints from '@catalog/contract/endpoints/webhooks';
import { createWebhook } from '../../registry/webhooks/create-webhook.ts';
import { deleteWebhook } from '../../registry/webhooks/delete-webhook.ts';
import { getDelivery, listDeliveries } from '../../registry/webhooks/read-deliveries.ts';
import { getWebhook, listWebhooks } from '../../registry/webhooks/read-webhooks.ts';
import { recoverDeliveries, redeliver } from '../../registry/webhooks/repeat-deliveries.ts';
import { testWebhook } from '../../registry/webhooks/test-webhook.ts';
import { updateWebhook } from '../../registry/webhooks/update-webhook.ts';
import { defineRoute, json, NO_CONTENT, type Route } from '../route.ts';

const listWebhooksRoute = defineRoute(endpoints.listWebhooks, async ({ registry, context }) =>
  json(await listWebhooks(registry, context)),
);

const createWebhookRoute = defineRoute(
  endpoints.createWebhook,
  async ({ registry, context, body }) => json(await createWebhook(registry, context, body), 201),
);

const getWebhookRoute = defineRoute(
  endpoints.getWebhook,
  async ({ registry, context, params: { id } }) => json(await getWebhook(registry, context, id)),
);

const updateWebhookRoute = defineRoute(
  endpoints.updateWebhook,
  async ({ registry, context, params: { id }, body }) =>
    json(await updateWebhook(registry, context, id, body)),
);

const deleteWebhookRoute = defineRoute(
  endpoints.deleteWebhook,
  async ({ registry, context, params: { id } }) => {
    await deleteWebhook(registry, context, id);
    return NO_CONTENT;
  },
);

const testWebhookRoute = defineRoute(
  endpoints.testWebhook,
  async ({ registry, context, params: { id } }) =>
    json(await testWebhook(registry, context, id), 202),
);

const listDeliveriesRoute = defineRoute(
  endpoints.listWebhookDeliveries,
  async ({ registry, context, params: { id }, query }) =>
    json(await listDeliveries(registry, context, id, query)),
);

const getDeliveryRoute = defineRoute(
  endpoints.getWebhookDelivery,
  async ({ registry, context, params: { id, delivery } }) =>
    json(await getDelivery(registry, context, id, delivery)),
);

const redeliverRoute = defineRoute(
  endpoints.redeliverWebhook,
  async ({ registry, context, params: { id, delivery } }) =>
    json(await redeliver(registry, context, id, delivery), 202),
);

const recoverRoute = defineRoute(
  endpoints.recoverWebhook,
  async ({ registry, context, params: { id }, body }) =>
    json(await recoverDeliveries(registry, context, id, body.since), 202),
);

export const webhooksRoutes: readonly Route[] = [
  listWebhooksRoute,
  createWebhookRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  redeliverRoute,
  recoverRoute,
];
