import { z } from 'zod';
import { PAGE_DEFAULT, PAGE_MAX } from '../limits.ts';
import {
  createWebhookBody,
  DELIVERY_STATES,
  recoveredDeliveries,
  recoverWebhookBody,
  updateWebhookBody,
  webhookDelivery,
  webhookDeliveryDetails,
  webhookDeliveryList,
  webhookReceiver,
  webhookReceiverList,
} from '../records/webhook.ts';
import { text } from './arguments.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

const receiverId = z.strictObject({ id: text.min(1).describe('Receiver id.') });
const deliveryId = receiverId.extend({ delivery: text.min(1).describe('Delivery id.') });

export const listWebhooks = defineEndpoint({
  name: 'list_webhooks',
  methods: ['GET'],
  path: '/v1/webhooks',
  summary: 'Lists the webhook receivers of the tenant.',
  access: 'admin',
  writes: false,
  responses: { 200: webhookReceiverList },
  errors: ['auth.forbidden'],
});

export const createWebhook = defineEndpoint({
  name: 'create_webhook',
  methods: ['POST'],
  path: '/v1/webhooks',
  summary: 'Creates a webhook receiver. The response is the only one that contains its secret.',
  access: 'admin',
  writes: true,
  body: createWebhookBody,
  responses: { 201: webhookReceiver },
  errors: ['auth.forbidden', 'quota.audit_volume_exceeded'],
});

export const getWebhook = defineEndpoint({
  name: 'get_webhook',
  methods: ['GET'],
  path: '/v1/webhooks/{id}',
  summary: 'Returns a webhook receiver.',
  access: 'admin',
  writes: false,
  params: receiverId,
  responses: { 200: webhookReceiver },
  errors: ['auth.forbidden', 'registry.not_found'],
});

export const updateWebhook = defineEndpoint({
  name: 'update_webhook',
  methods: ['PUT'],
  path: '/v1/webhooks/{id}',
  summary:
    'Updates the receiver fields present in the body. After a change of the secret, deliveries are signed with both secrets for 24 hours.',
  access: 'admin',
  writes: true,
  params: receiverId,
  body: updateWebhookBody,
  responses: { 200: webhookReceiver },
  errors: ['auth.forbidden', 'registry.not_found', 'quota.audit_volume_exceeded'],
});

export const deleteWebhook = defineEndpoint({
  name: 'delete_webhook',
  methods: ['DELETE'],
  path: '/v1/webhooks/{id}',
  summary: 'Deletes a webhook receiver and its deliveries.',
  access: 'admin',
  writes: true,
  params: receiverId,
  responses: { 204: null },
  errors: ['auth.forbidden', 'registry.not_found'],
});

/** An addition of catalog to the specification. */
export const testWebhook = defineEndpoint({
  name: 'test_webhook',
  methods: ['POST'],
  path: '/v1/webhooks/{id}/test',
  summary:
    'Sends the event `webhook.test` at once, whatever the filter and the backlog of the receiver. It gets one attempt.',
  access: 'admin',
  writes: true,
  params: receiverId,
  responses: { 202: webhookDelivery },
  errors: ['auth.forbidden', 'registry.not_found'],
});

/** An addition of catalog to the specification (SPEC-29). */
export const listWebhookDeliveries = defineEndpoint({
  name: 'list_webhook_deliveries',
  methods: ['GET'],
  path: '/v1/webhooks/{id}/deliveries',
  summary: 'Lists the deliveries of a receiver, newest first.',
  access: 'admin',
  writes: false,
  params: receiverId,
  query: z.strictObject({
    state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state.'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(PAGE_MAX)
      .default(PAGE_DEFAULT)
      .describe('Maximum number of deliveries.'),
    cursor: text.optional().describe('`next_cursor` of the previous page.'),
  }),
  responses: { 200: webhookDeliveryList },
  errors: ['auth.forbidden', 'registry.not_found'],
});

/** An addition of catalog to the specification. */
export const getWebhookDelivery = defineEndpoint({
  name: 'get_webhook_delivery',
  methods: ['GET'],
  path: '/v1/webhooks/{id}/deliveries/{delivery}',
  summary: 'Returns a delivery with its body.',
  access: 'admin',
  writes: false,
  params: deliveryId,
  responses: { 200: webhookDeliveryDetails },
  errors: ['auth.forbidden', 'registry.not_found'],
});

/** An addition of catalog to the specification (SPEC-29). */
export const redeliverWebhook = defineEndpoint({
  name: 'redeliver_webhook',
  methods: ['POST'],
  path: '/v1/webhooks/{id}/deliveries/{delivery}/redeliver',
  summary: 'Queues a delivery again, with the same id and body.',
  access: 'admin',
  writes: true,
  params: deliveryId,
  responses: { 202: webhookDelivery },
  errors: ['auth.forbidden', 'registry.not_found'],
});

/** An addition of catalog to the specification. */
export const recoverWebhook = defineEndpoint({
  name: 'recover_webhook',
  methods: ['POST'],
  path: '/v1/webhooks/{id}/recover',
  summary: 'Queues every failed delivery since a time again.',
  access: 'admin',
  writes: true,
  params: receiverId,
  body: recoverWebhookBody,
  responses: { 202: recoveredDeliveries },
  errors: ['auth.forbidden', 'registry.not_found'],
});

export const webhooksEndpoints: readonly Endpoint[] = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhook,
  recoverWebhook,
];
