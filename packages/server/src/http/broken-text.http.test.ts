import { contentHash } from '@catalog/contract/records/formats';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { registerLayer } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { endpoints } from '@catalog/contract/endpoints/table';
import { asCaller, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/checked-response';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

let server: RegistryServer;
let managed: RegistryServer;
const OPERATOR = asCaller({ subject: 'ops' });

beforeAll(async () => {
  server = await startRegistry({ keep: true, settings: { 'web_ui.enabled': true } });
  managed = await startRegistry({
    keep: true,
    settings: { ...TRUSTED_HEADERS_MULTI_TENANT, operator_admins: ['ops'] },
  });
});
afterAll(async () => {
  await server.close();
  await managed.close();
});

interface MalformedValue {
  value: unknown;
  path: string;
}

/** Yields copies of a valid value, each with one malformed string. */
function* generateMalformedTexts(
  schema: z.core.$ZodType,
  broken: string,
  path = '',
): Generator<MalformedValue> {
  if (schema instanceof z.ZodString) yield { value: broken, path };
  else if (schema instanceof z.ZodPipe) yield* generateMalformedTexts(schema.in, broken, path);
  else if (isWrapped(schema)) yield* generateMalformedTexts(schema.unwrap(), broken, path);
  else if (schema instanceof z.ZodArray) {
    const whole = sampleOf(schema.element);
    for (const { value, path: inner } of generateMalformedTexts(
      schema.element,
      broken,
      `${path}[1]`,
    )) {
      yield { value: [whole, value], path: inner };
    }
  } else if (schema instanceof z.ZodRecord) {
    yield { value: { [broken]: sampleOf(schema.valueType) }, path };
    for (const { value, path: inner } of generateMalformedTexts(
      schema.valueType,
      broken,
      `${path}.x`,
    )) {
      yield { value: { x: value }, path: inner };
    }
  } else if (schema instanceof z.ZodObject) {
    const whole = sampleOf(schema);
    for (const [name, field] of Object.entries(schema.shape)) {
      const inside = path === '' ? name : `${path}.${name}`;
      for (const { value, path: inner } of generateMalformedTexts(field, broken, inside)) {
        yield { value: { ...Object(whole), [name]: value }, path: inner };
      }
    }
  }
}

function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema === contentHash) return `sha256:${'0'.repeat(64)}`;
  if (schema instanceof z.ZodString) return 'x';
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodPipe) return sampleOf(schema.in);
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element)];
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, sampleOf(field)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function isWrapped(
  schema: z.core.$ZodType,
): schema is z.ZodOptional | z.ZodDefault | z.ZodNullable {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  );
}

function* brokenRequests(row: Endpoint): Generator<{ options: EndpointOptions; path: string }> {
  const whole = { params: record(row.params), query: record(row.query) };
  const body = row.body === undefined ? {} : { body: sampleOf(row.body) };
  // A URL can contain only well-formed text; JSON can also contain unpaired surrogates.
  const parts = [
    ...(['params', 'query'] as const).map((part) => ({ part, schema: row[part], broken: 'a\0b' })),
    { part: 'body' as const, schema: row.body, broken: 'a\0b' },
    { part: 'body' as const, schema: row.body, broken: 'a\ud800b' },
  ];
  for (const { part, schema, broken } of parts) {
    if (schema === undefined) continue;
    for (const { value, path } of generateMalformedTexts(schema, broken)) {
      yield { options: { ...whole, ...body, [part]: value }, path };
    }
  }
}

function record(schema: z.ZodObject | undefined): Record<string, string> {
  return schema === undefined ? {} : z.record(z.string(), z.string()).parse(sampleOf(schema));
}

/** SCIM endpoints validate and respond as their standard requires. */
const TESTED_ENDPOINTS = endpoints.filter(({ access }) => access !== 'scim');

const ROWS = TESTED_ENDPOINTS.flatMap((row) => {
  const requests = [...brokenRequests(row)];
  return requests.length === 0 ? [] : [{ name: row.name, row, requests }];
});

test('every endpoint with a string argument is tested', () => {
  const untested = TESTED_ENDPOINTS.map(({ name }) => name).filter((name) => !isTested(name));
  expect(untested.toSorted()).toEqual([
    'get_freeze_windows',
    'healthz',
    'list_admins',
    'list_layers',
    'list_tenants',
    'list_webhooks',
    'metrics',
    'openapi',
    'quota',
    'readyz',
    'resource_metadata',
    'scope_preview',
    'session',
    'sign_in',
    'sign_in_callback',
    'sign_out',
    'signing_keys',
    'sync_manifest',
    'web_ui',
    'web_ui_root',
    'whoami',
  ]);
});

function isTested(name: string): boolean {
  return ROWS.some((each) => each.name === name);
}

test.each(ROWS)(
  '$name rejects strings with NUL or an unpaired surrogate and names the argument',
  async (each) => {
    for (const { options, path } of each.requests) {
      const face = each.row.access === 'operator' ? managed.as(OPERATOR) : server;
      const { status, body } = await face.request(each.row, options);
      expect([path, status, errorOf(body)]).toMatchObject([
        path,
        400,
        { code: 'registry.invalid_argument', details: { argument: path } },
      ]);
    }
  },
);

test('unusual but well-formed strings are accepted', async () => {
  const unusual = '\u{1f680}\u0001\ufffd\uffff e\u0301';
  const found = await server.request(searchArtifacts, { query: { query: unusual } });
  expect(found.status).toBe(200);
  const loaded = await server.request(loadArtifact, { query: { id: unusual } });
  expect(errorOf(loaded.body)?.code).toBe('registry.not_found');
  const layer = { id: 'odd', source_type: 'local', local_path: server.folder, owner: unusual };
  expect((await server.request(registerLayer, { body: layer })).status).toBe(201);
});

test('query bytes that are not valid UTF-8 are rejected', async () => {
  for (const bytes of ['%ed%a0%80', '%ff', '%c0%80']) {
    const { status, body } = await server.request(`/v1/load_artifact?id=${bytes}`);
    expect([bytes, status, errorOf(body)?.code]).toEqual([bytes, 400, 'registry.invalid_argument']);
  }
});
