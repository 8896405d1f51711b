import { z } from 'zod';
import { health, readiness } from '../records/operations.ts';
import { defineEndpoint } from './endpoint.ts';
import { text } from './arguments.ts';

export const events = defineEndpoint({
  name: 'events',
  methods: ['GET'],
  path: '/v1/events',
  summary: 'What changes, as it changes, one JSON object a line.',
  access: 'events',
  writes: false,
  query: z.strictObject({
    type: z
      .array(text)
      .default([])
      .describe('An event to be told of; may stand several times. Without any, all of them.'),
    since: text
      .optional()
      .describe('The cursor of the last event that was read: what came after it is told first.'),
  }),
  responses: { 200: null },
  media_type: 'application/x-ndjson',
  errors: ['auth.forbidden'],
});

export const healthz = defineEndpoint({
  name: 'healthz',
  methods: ['GET', 'HEAD'],
  path: '/healthz',
  summary: 'Whether the process is alive.',
  access: 'none',
  writes: false,
  responses: { 200: health },
  errors: [],
});

export const readyz = defineEndpoint({
  name: 'readyz',
  methods: ['GET', 'HEAD'],
  path: '/readyz',
  summary: 'Whether requests can be answered now.',
  access: 'none',
  writes: false,
  responses: { 200: readiness, 503: readiness },
  errors: [],
});

export const metrics = defineEndpoint({
  name: 'metrics',
  methods: ['GET', 'HEAD'],
  path: '/metrics',
  summary: 'Measurements in the text format of Prometheus.',
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
  summary: 'This interface as an OpenAPI 3.1 document.',
  access: 'none',
  writes: false,
  responses: { 200: z.record(z.string(), z.unknown()) },
  errors: [],
});
