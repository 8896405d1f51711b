import { COMMON_ERRORS, errorsOf, type Endpoint } from '@catalog/contract/endpoints/endpoint';
import { endpointGroups } from '@catalog/contract/endpoints/table';
import { openApiDocument, openApiPath } from '@catalog/contract/open-api';
import { code, page, table } from './markdown.ts';

interface Schema {
  description?: string;
  type?: string | string[];
  $ref?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

interface Operation {
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Committed, so a change of the API shows in the diff. */
export function openApiFile(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

export function httpApiPage(): string {
  const document: Document = JSON.parse(openApiFile());
  return page('HTTP API', 'packages/contract/src/endpoints', [
    'Bodies are JSON, field names are snake_case, times are RFC 3339 in UTC. Every error is the same envelope, ' +
      'with a code of [errors](errors.md). The registry serves this interface as an OpenAPI 3.1 document at ' +
      '`/v1/openapi.json`; [openapi.json](openapi.json) is a copy.',
    `Any request may return ${COMMON_ERRORS.map(code).join(', ')}. Unknown arguments and keys are rejected.`,
    'While its primary database is unavailable, a registry is read-only: writes return `registry.read_only`, and ' +
      'every response has the headers `X-Catalog-Read-Only: true` and `X-Catalog-Read-Only-Lag-Seconds`, the ' +
      'maximum age of its data.',
    ...endpointGroups.flatMap(({ name, summary, endpoints }) => [
      `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
      summary,
      ...endpoints.flatMap((endpoint) => describeEndpoint(endpoint, document)),
    ]),
    '## Records',
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      describeRecord(name, schema),
    ),
  ]);
}

function describeEndpoint(endpoint: Endpoint, document: Document): string[] {
  const [method = 'GET'] = endpoint.methods;
  const operation = document.paths[openApiPath(endpoint)]?.[method.toLowerCase()];
  if (operation === undefined) throw new RangeError(`no operation for ${endpoint.name}`);
  const { parameters, requestBody } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const errors = errorsOf(endpoint);
  return [
    `### ${endpoint.name}`,
    `${code(`${endpoint.methods.join(', ')} ${endpoint.path}`)}: ${endpoint.summary}`,
    ...(parameters.length === 0
      ? []
      : [table(['Argument', 'In', 'Value', 'Meaning'], parameters.map(parameterRow))]),
    ...(body === undefined
      ? []
      : [`Body: ${typeOf(body)}${requestBody?.required === false ? ', optional' : ''}.`]),
    `Responses: ${responsesOf(endpoint, operation)}.`,
    ...(errors.length === 0 ? [] : [`Errors: ${errors.map((error) => code(error)).join(', ')}.`]),
  ];
}

function parameterRow({ name, in: place, required, schema }: Parameter): string[] {
  const value = `${typeOf(schema)}${required ? ', required' : ''}`;
  return [code(name), place, value, schema.description ?? ''];
}

function responsesOf({ media_type }: Endpoint, { responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, { content }]) => {
      if (content === undefined) return `${status} without a body`;
      const schema = content['application/json']?.schema;
      const names = [
        ...(media_type !== undefined && media_type in content ? [code(media_type)] : []),
        ...(schema === undefined ? [] : [typeOf(schema)]),
      ];
      return `${status} ${names.join(' or ')}`;
    })
    .join('; ');
}

function describeRecord(name: string, schema: Schema): string[] {
  if (schema.properties === undefined) return [`### ${name}`, `${typeOf(schema)}.`];
  const required = new Set(schema.required);
  return [
    `### ${name}`,
    table(
      ['Field', 'Value'],
      Object.entries(schema.properties).map(([field, value]) => [
        code(field),
        `${typeOf(value)}${required.has(field) ? '' : ', optional'}`,
      ]),
    ),
  ];
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref.split('/').at(-1) ?? '');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.map(typeOf).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    return `one of ${schema.enum.map((value) => code(JSON.stringify(value))).join(', ')}`;
  }
  if (schema.type === 'array') {
    const limit = schema.maxItems === undefined ? '' : ` (up to ${schema.maxItems})`;
    return `list of ${typeOf(schema.items ?? {})}${limit}`;
  }
  if (schema.type === 'object') return objectOf(schema);
  return plainType(schema);
}

function objectOf({ properties, additionalProperties }: Schema): string {
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, value]) => `${code(name)} ${typeOf(value)}`,
    );
    return `object (${fields.join('; ')})`;
  }
  return typeof additionalProperties === 'object'
    ? `object of ${typeOf(additionalProperties)} by name`
    : 'object';
}

function plainType(schema: Schema): string {
  const { type = 'anything', format, minimum, maximum, maxLength } = schema;
  if (format === 'date-time') return 'time';
  const name = String(type);
  const range =
    minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
      ? `, ${minimum} to ${maximum}`
      : '';
  const length = maxLength === undefined ? '' : `, up to ${maxLength} characters`;
  const preset =
    schema.default === undefined || schema.default === ''
      ? ''
      : `, default ${JSON.stringify(schema.default)}`;
  return `${name}${range}${length}${preset}`;
}

function linkTo(record: string): string {
  return `[${record}](#${record.toLowerCase()})`;
}
