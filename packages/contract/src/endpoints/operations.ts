import { z } from 'zod';
import { health, readiness } from '../records/operations.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { text } from './arguments.ts';

export const events = defineEndpoint({
  name: 'events',
  methods: ['GET'],
  path: '/v1/events',
  summary: 'Streams change events as newline-delimited JSON.',
  access: 'events',
  writes: false,
  query: z.strictObject({
    type: z
      .array(text)
      .default([])
      .describe('Event name to subscribe to; repeatable. Defaults to all events.'),
    since: text
      .optional()
      .describe('Cursor of the last event received; later events are sent first.'),
  }),
  responses: { 200: null },
  media_type: 'application/x-ndjson',
  errors: ['auth.forbidden', 'quota.event_streams_exceeded'],
});

export const healthz = defineEndpoint({
  name: 'healthz',
  methods: ['GET', 'HEAD'],
  path: '/healthz',
  summary: 'Liveness check.',
  access: 'none',
  writes: false,
  responses: { 200: health },
  errors: [],
});

export const readyz = defineEndpoint({
  name: 'readyz',
  methods: ['GET', 'HEAD'],
  path: '/readyz',
  summary: 'Readiness check.',
  access: 'none',
  writes: false,
  responses: { 200: readiness, 503: readiness },
  errors: [],
});

export const metrics = defineEndpoint({
  name: 'metrics',
  methods: ['GET', 'HEAD'],
  path: '/metrics',
  summary: 'Metrics in the Prometheus text format.',
  access: 'none',
  writes: false,
  responses: { 200: null },
  media_type: 'text/plain',
  errors: [],
});

export const openApi = defineEndpoint({
  name: 'openapi',
  methods: ['GET', 'HEAD'],
  path: '/v1/openapi.json',
  summary: 'This API as an OpenAPI 3.1 document.',
  access: 'none',
  writes: false,
  responses: { 200: z.record(z.string(), z.unknown()) },
  errors: [],
});

export const operationsEndpoints: readonly Endpoint[] = [events, healthz, readyz, metrics, openApi];
