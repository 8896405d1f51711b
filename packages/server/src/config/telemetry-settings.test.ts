import { loadVariables, refusalOf } from '@catalog/testkit/settings-in-test';
import { expect, test } from 'vitest';
import { parsePairs } from './key-value-pairs.ts';
import { showValue } from './setting.ts';
import { SETTINGS } from './settings.ts';

test('telemetry is exported only if a collector is configured for catalog itself', () => {
  const { settings } = loadVariables({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'not valid',
  });
  expect(settings['telemetry.otlp_endpoint']).toBeUndefined();
});

test('environment variables configure the collector', () => {
  const { settings } = loadVariables({
    CATALOG_OTLP_ENDPOINT: 'https://otel.example.com:4318/',
    CATALOG_OTLP_SAMPLING_RATIO: '0.25',
    CATALOG_OTLP_METRICS_INTERVAL: '5m',
  });
  expect(settings).toMatchObject({
    'telemetry.otlp_endpoint': 'https://otel.example.com:4318',
    'telemetry.sampling_ratio': 0.25,
    'telemetry.metrics_interval': 300,
    'telemetry.service_name': 'catalog',
  });
});

test('parsePairs decodes percent-encoded values', () => {
  expect(parsePairs('authorization=Bearer%20a=b, x-scope=one%2Ctwo')).toEqual({
    authorization: 'Bearer a=b',
    'x-scope': 'one,two',
  });
  for (const text of ['', 'name', '=value', 'a=1,,b=2', 'a b=1', 'a=%0d%0ab:1', 'a=%']) {
    expect(parsePairs(text), text).toBeUndefined();
  }
});

test('telemetry headers are secret', () => {
  const setting = SETTINGS['telemetry.otlp_headers'];
  expect(showValue(setting, 'authorization=Bearer%20secret')).toBe('***');
  const { message } = refusalOf({ CATALOG_OTLP_HEADERS: 'Bearer secret' });
  expect(message).toContain('must be `name=value` pairs');
  expect(message).not.toContain('secret');
});

test.each([
  { CATALOG_OTLP_SAMPLING_RATIO: '1.5' },
  { CATALOG_OTLP_SAMPLING_RATIO: '-0.1' },
  { CATALOG_OTLP_SAMPLING_RATIO: 'all' },
  { CATALOG_OTLP_ENDPOINT: 'collector:4317' },
  { CATALOG_OTLP_ENDPOINT: 'https://user:secret@otel.example.com' },
])('the registry rejects %j', (env) => {
  expect(refusalOf(env)).toMatchObject({ code: 'config.invalid' });
});
