import { metrics } from '@catalog/contract/endpoints/operations';
import { updateLayer } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { createWebhook } from '@catalog/contract/endpoints/webhooks';
import { startDeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startOtlpCollector, type ReceivedSpan } from '@catalog/testkit/otlp-collector';
import { startRegistry } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const FILES = { 'ops/greet/ARTIFACT.md': RULE };
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE_ID}-${PARENT_ID}-01`;

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] {
  return spans.filter((span) => span.name === name);
}

describe('traces', () => {
  test('the registry exports a span for each request, named after its endpoint, with the reads of the store', async () => {
    const collector = await startOtlpCollector();
    const server = await startRegistry({
      keep: true,
      settings: {
        'telemetry.otlp_endpoint': collector.url,
        'telemetry.otlp_headers': 'authorization=Bearer%20secret',
        'telemetry.resource_attributes': 'deployment.environment.name=test',
      },
      layers: { base: FILES },
    });
    await server.call(loadArtifact, { query: { id: 'ops/greet' } });
    await server.call(searchArtifacts, { query: { query: 'visitor' } });
    await server.request(loadArtifact, { query: { id: 'ops/missing' } });
    await server.request('/nothing/here');
    await server.request('/healthz');
    await server.close();
    const [found, missing] = named(collector.spans, 'GET /v1/load_artifact');
    expect(found).toMatchObject({
      kind: 'server',
      parent_id: '',
      status: 'unset',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/load_artifact',
        'http.response.status_code': 200,
      },
    });
    expect(missing).toMatchObject({
      status: 'unset',
      attributes: { 'http.response.status_code': 404, 'error.type': 'registry.not_found' },
    });
    const children = collector.spans.filter(({ parent_id }) => parent_id === found?.span_id);
    expect(children.map(({ name }) => name)).toContain('store.versions.listHeadsOf');
    for (const child of children) {
      expect(child.trace_id).toBe(found?.trace_id);
      expect(child.start_ms).toBeGreaterThanOrEqual(found?.start_ms ?? Infinity);
      expect(child.end_ms).toBeLessThanOrEqual(found?.end_ms ?? 0);
    }
    const [search] = named(collector.spans, 'GET /v1/search_artifacts');
    const embedded = named(collector.spans, 'embedder.embed');
    expect(embedded.map(({ parent_id }) => parent_id)).toContain(search?.span_id);
    expect(named(collector.spans, 'GET')).toMatchObject([
      { attributes: { 'http.response.status_code': 404 } },
    ]);
    expect(JSON.stringify(collector.spans)).not.toMatch(/greet|missing|nothing|visitor|healthz/);
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'catalog',
      'deployment.environment.name': 'test',
    });
    expect(collector.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/x-protobuf',
    });
  });

  test('a request continues the trace of the caller and logs its id', async () => {
    const collector = await startOtlpCollector();
    const server = await startRegistry({
      keep: true,
      settings: { 'telemetry.otlp_endpoint': collector.url, 'log.level': 'info' },
    });
    const headers = { traceparent: SAMPLED, tracestate: 'vendor=value' };
    await server.request('/v1/catalog', { headers });
    const own = await server.request('/v1/catalog');
    await server.close();
    expect(named(collector.spans, 'GET /v1/catalog')).toMatchObject([
      { trace_id: TRACE_ID, parent_id: PARENT_ID, trace_state: 'vendor=value' },
      { trace_id: own.headers['x-request-id'], parent_id: '', trace_state: '' },
    ]);
    const logged = server.log
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'request');
    expect(logged.map(({ trace_id }) => trace_id)).toEqual([TRACE_ID, own.headers['x-request-id']]);
  });

  test('a caller who sets the sampled flag does not change which traces are recorded', async () => {
    const collector = await startOtlpCollector();
    const server = await startRegistry({
      keep: true,
      settings: {
        'telemetry.otlp_endpoint': collector.url,
        'telemetry.sampling_ratio': 0.000_000_001,
      },
    });
    const low = `00-${'1'.padStart(32, '0')}-${PARENT_ID}-01`;
    const high = `00-${'f'.repeat(32)}-${PARENT_ID}-01`;
    for (const traceparent of [SAMPLED, low, high]) {
      await server.request('/v1/catalog', { headers: { traceparent } });
    }
    await server.close();
    expect(collector.spans).toEqual([]);
    expect(collector.metrics.get('catalog_requests_total')).toBeDefined();
  });

  test('a webhook delivery carries the trace of its event', async () => {
    const collector = await startOtlpCollector();
    const receiver = await startDeliveryReceiver();
    const server = await startRegistry({
      keep: true,
      settings: { ...receiver.settings, 'telemetry.otlp_endpoint': collector.url },
    });
    await seedLayer(server, { id: 'x' });
    await server.call(createWebhook, { body: { url: receiver.url } });
    const headers = { traceparent: SAMPLED };
    await server.call(updateLayer, { query: { id: 'x' }, body: { owner: 'ann' }, headers });
    const [delivery] = await receiver.waitFor(1);
    await server.close();
    const [span] = named(collector.spans, 'webhook.send');
    expect(delivery?.body.trace_id).toBe(TRACE_ID);
    expect(delivery?.headers['traceparent']).toBe(`00-${TRACE_ID}-${span?.span_id}-01`);
    expect(delivery?.headers['tracestate']).toBeUndefined();
    expect(span).toMatchObject({
      kind: 'client',
      trace_id: TRACE_ID,
      attributes: { 'http.response.status_code': 204, 'catalog.event': 'layer.config_changed' },
    });
  });

  test('a registry traces webhook deliveries only if a collector is configured', async () => {
    const receiver = await startDeliveryReceiver();
    const server = await startRegistry({ settings: receiver.settings });
    await seedLayer(server, { id: 'x' });
    await server.call(createWebhook, { body: { url: receiver.url } });
    const headers = { traceparent: SAMPLED };
    await server.call(updateLayer, { query: { id: 'x' }, body: { owner: 'ann' }, headers });
    const [delivery] = await receiver.waitFor(1);
    expect(server.registry.tracing).toBeUndefined();
    expect(delivery?.body.trace_id).toBe(TRACE_ID);
    expect(delivery?.headers['traceparent']).toBeUndefined();
  });

  test('the registry exports a span for each ingest, with the trace of its events', async () => {
    const collector = await startOtlpCollector();
    const server = await startRegistry({
      keep: true,
      settings: { 'telemetry.otlp_endpoint': collector.url },
      layers: { base: FILES },
    });
    const events = await server.registry.store.outbox.listAfter(1, 0, 100);
    await server.close();
    const [ingest] = named(collector.spans, 'ingest');
    const published = events.find(({ body }) => body.event === 'artifact.published');
    expect(ingest).toMatchObject({ trace_id: published?.body.trace_id, parent_id: '' });
    const [read] = named(collector.spans, 'folder.read');
    expect(read).toMatchObject({ trace_id: ingest?.trace_id, parent_id: ingest?.span_id });
  });
});

describe('metrics export', () => {
  test('the registry exports the metrics of /metrics', async () => {
    const collector = await startOtlpCollector();
    const server = await startRegistry({
      keep: true,
      settings: { 'telemetry.otlp_endpoint': collector.url, 'telemetry.sampling_ratio': 0 },
    });
    await server.request('/v1/catalog');
    await server.request('/v1/catalog');
    const { body } = await server.request(metrics);
    await server.close();
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/metrics']);
    const names = String(body).matchAll(/^# TYPE (\S+) (\w+)$/gm);
    const kinds = { counter: 'sum', gauge: 'gauge', histogram: 'histogram' };
    for (const [, name = '', kind = ''] of names) {
      expect([name, collector.metrics.get(name)?.kind]).toEqual([
        name,
        Object.entries(kinds).find(([key]) => key === kind)?.[1],
      ]);
    }
    const attributes = { endpoint: 'catalog', status: '2xx' };
    const requests = collector.metrics.get('catalog_requests_total');
    expect(requests?.points).toContainEqual(expect.objectContaining({ attributes, value: 2 }));
    const durations = collector.metrics.get('catalog_request_duration_seconds');
    const point = durations?.points.find((each) => each.attributes['endpoint'] === 'catalog');
    expect(point).toMatchObject({ count: 2 });
    expect(point?.bounds).toHaveLength(12);
    expect(point?.bucket_counts).toHaveLength(13);
    expect(point?.bucket_counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});

describe('unavailable collector', () => {
  test('is logged once, and receives the spans after it has recovered', async () => {
    const collector = await startOtlpCollector();
    collector.respond(503);
    const server = await startRegistry({
      settings: {
        'telemetry.otlp_endpoint': collector.url,
        'telemetry.metrics_interval': 0,
        'log.level': 'info',
      },
    });
    await server.request('/v1/catalog');
    await collector.until(() => collector.requests.length === 2);
    collector.respond(200);
    await collector.until(() => collector.spans.length > 0);
    expect(named(collector.spans, 'GET /v1/catalog')).toHaveLength(1);
    const lines = (): { msg: string; level: string }[] =>
      server.log.map((line) => JSON.parse(line)).filter(({ signal }) => signal === 'traces');
    await expect.poll(lines).toHaveLength(2);
    expect(lines()).toMatchObject([
      {
        level: 'warn',
        msg: 'failed to export telemetry; will retry',
        reason: 'the collector responded with status 503',
      },
      { level: 'info', msg: 'telemetry export has recovered' },
    ]);
  });

  test('does not delay a shutdown beyond the timeout', async () => {
    const collector = await startOtlpCollector();
    collector.respond('hang');
    const server = await startRegistry({
      keep: true,
      settings: { 'telemetry.otlp_endpoint': collector.url },
    });
    await server.request('/v1/catalog');
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(6000);
  });
});
