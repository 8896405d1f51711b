import { z } from 'zod';
import { COMMON_ERRORS, errorsOf, type Endpoint } from './endpoints/endpoint.ts';
import { endpointGroups } from './endpoints/table.ts';
import { errorEnvelope } from './errors/envelope.ts';
import { EVENT_NAMES } from './event-names.ts';
import { eventBody } from './events.ts';
import * as artifact from './records/artifact.ts';
import * as discovery from './records/discovery.ts';
import * as ingest from './records/ingest.ts';
import * as layer from './records/layer.ts';
import * as operations from './records/operations.ts';
import * as scim from './records/scim.ts';
import * as signature from './records/signature.ts';
import * as webhook from './records/webhook.ts';
import { VERSION } from './version.ts';

export interface OpenApiObject {
  [key: string]: OpenApiValue;
}
type OpenApiValue = string | number | boolean | null | undefined | OpenApiObject | OpenApiValue[];

const JSON_TYPE = 'application/json';

export function openApiDocument(): OpenApiObject {
  const schemas = nameSchemas();
  const paths: Record<string, OpenApiObject> = {};
  for (const { name, endpoints } of endpointGroups) {
    for (const endpoint of endpoints) {
      const item = (paths[openApiPath(endpoint)] ??= {});
      for (const method of endpoint.methods) {
        const operation = describeOperation(endpoint, method, schemas);
        item[method.toLowerCase()] = { tags: [name], ...operation };
      }
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'catalog registry',
      version: VERSION,
      summary:
        'A registry for skills, agents, rules, commands, hooks, context, and MCP servers of AI agents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: endpointGroups.map(({ name, summary }) => ({ name, description: summary })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: { schemas: toComponents(schemas) },
  };
}

function describeWebhooks(named: ReadonlyMap<z.ZodType, string>): OpenApiObject {
  const bodies: [string, z.ZodType][] = [
    ...EVENT_NAMES.map((name): [string, z.ZodType] => [name, eventBody]),
    ['batch', webhook.webhookBatch],
  ];
  const headers = [
    ['webhook-id', 'Id of the delivery, the same in every attempt.'],
    ['webhook-timestamp', 'Time of the attempt, in seconds since 1970.'],
    ['webhook-signature', 'Signatures by Standard Webhooks, separated by spaces.'],
    ['x-catalog-signature', '`sha256=` and the HMAC-SHA256 of the body in hex.'],
  ].map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  return Object.fromEntries(
    bodies.map(([name, body]) => [
      name,
      {
        post: {
          parameters: headers,
          requestBody: {
            required: true,
            content: { [JSON_TYPE]: { schema: referTo(body, named) } },
          },
          responses: { '2XX': { description: 'Delivered.' } },
        },
      },
    ]),
  );
}

/** Converts a path to OpenAPI, which has no parameters for several segments. */
export function openApiPath({ path }: Endpoint): string {
  return path.replace('...}', '}');
}

function nameSchemas(): Map<z.ZodType, string> {
  const named = new Map<z.ZodType, string>();
  const modules = [artifact, discovery, ingest, layer, operations, scim, signature, webhook];
  for (const [name, value] of modules.flatMap((module) => Object.entries(module))) {
    if (value instanceof z.ZodType) named.set(value, name[0]?.toUpperCase() + name.slice(1));
  }
  return named.set(errorEnvelope, 'ErrorEnvelope').set(eventBody, 'EventBody');
}

function toComponents(named: ReadonlyMap<z.ZodType, string>): OpenApiObject {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  });
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([id, schema]) => [id, plain(schema)]));
}

function describeOperation(
  endpoint: Endpoint,
  method: Endpoint['methods'][number],
  named: ReadonlyMap<z.ZodType, string>,
): OpenApiObject {
  const [first] = endpoint.methods;
  return {
    operationId: method === first ? endpoint.name : `${endpoint.name}_${method.toLowerCase()}`,
    summary: endpoint.summary,
    parameters: [
      ...describeParameters(endpoint.params, 'path'),
      ...describeParameters(endpoint.query, 'query'),
    ],
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.body_optional !== true,
            content: { [jsonType(endpoint)]: { schema: referTo(endpoint.body, named) } },
          },
        }),
    responses: describeResponses(endpoint, method, named),
  };
}

function describeParameters(schema: z.ZodObject | undefined, place: string): OpenApiObject[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: plain(property),
  }));
}

function describeResponses(
  endpoint: Endpoint,
  method: string,
  named: ReadonlyMap<z.ZodType, string>,
): OpenApiObject {
  const responses: OpenApiObject = {};
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    responses[status] = {
      description: STATUS_WORDS[status] ?? 'Answered.',
      ...describeContent(endpoint, method, { status, schema }, named),
    };
  }
  const codes = [...new Set([...errorsOf(endpoint), ...COMMON_ERRORS])];
  responses['default'] = {
    description: `Error: ${codes.join(', ')}.`,
    ...(method === 'HEAD' ? {} : { content: describeErrors(endpoint, named) }),
  };
  return responses;
}

/** Describes error responses. SCIM routes have their own error format, except if SCIM is disabled. */
function describeErrors(
  { access }: Endpoint,
  named: ReadonlyMap<z.ZodType, string>,
): OpenApiObject {
  const envelope = { [JSON_TYPE]: { schema: referTo(errorEnvelope, named) } };
  if (access !== 'scim') return envelope;
  return { [scim.SCIM_MEDIA_TYPE]: { schema: referTo(scim.scimError, named) }, ...envelope };
}

function jsonType({ access, media_type = JSON_TYPE }: Endpoint): string {
  return access === 'scim' ? media_type : JSON_TYPE;
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  200: 'Answered.',
  201: 'Created.',
  202: 'Accepted; the job reports the result.',
  304: "Not modified: the caller's copy is current.",
  404: 'No such page.',
  503: 'Not ready.',
};

/** Describes the content of a response. An error page can also be requested as JSON. */
function describeContent(
  endpoint: Endpoint,
  method: string,
  { status, schema }: { status: string; schema: z.ZodType | null },
  named: ReadonlyMap<z.ZodType, string>,
): OpenApiObject {
  if (method === 'HEAD') return {};
  if (schema !== null) {
    return { content: { [jsonType(endpoint)]: { schema: referTo(schema, named) } } };
  }
  if (endpoint.media_type === undefined) return {};
  const errors = Number(status) < 400 ? {} : describeErrors(endpoint, named);
  return { content: { [endpoint.media_type]: {}, ...errors } };
}

function referTo(schema: z.ZodType, named: ReadonlyMap<z.ZodType, string>): OpenApiObject {
  const name = named.get(schema);
  return name === undefined
    ? plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    : { $ref: `#/components/schemas/${name}` };
}

/** Removes keys of a schema that are valid only at its root. */
function plain(schema: unknown): OpenApiObject {
  const copy: OpenApiObject = JSON.parse(JSON.stringify(schema));
  delete copy['$schema'];
  delete copy['$id'];
  return copy;
}
