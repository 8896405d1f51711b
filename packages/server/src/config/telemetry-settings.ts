import { INVALID_FIELD, type Check } from '@catalog/core/manifest/field-checks';
import { addressLike } from './address-like.ts';
import { parsePairs } from './key-value-pairs.ts';
import { checked, durationSetting, textSetting, type Setting } from './setting.ts';

const PAIRS = checked(
  '`name=value` pairs, separated by commas',
  'Percent-encode commas and characters outside ASCII in values.',
  (value) => (parsePairs(value) === undefined ? undefined : value),
);

/** `OTEL_*` environment variables have no effect (ADR-0075). */
export const TELEMETRY_SETTINGS = {
  'telemetry.otlp_endpoint': textSetting({
    summary:
      'URL of an OpenTelemetry collector that receives traces and metrics with OTLP over HTTP; the registry adds `/v1/traces` and `/v1/metrics`. If unset, nothing is exported.',
    env: ['CATALOG_OTLP_ENDPOINT'],
    default: undefined,
    check: addressLike('https://otel.example.com:4318'),
  }),
  'telemetry.otlp_headers': textSetting({
    summary:
      'Headers for the collector, such as `authorization=Bearer%20<token>`: `name=value` pairs, separated by commas, with percent-encoded values.',
    env: ['CATALOG_OTLP_HEADERS'],
    default: undefined,
    check: PAIRS,
    mask: () => '***',
  }),
  'telemetry.sampling_ratio': {
    summary:
      'Part of the traces to record, from 0 to 1; `0` disables traces. Callers cannot change it.',
    env: ['CATALOG_OTLP_SAMPLING_RATIO'],
    default: 1,
    check: ratio(),
    fromText: (value) => (/^(?:0|1|0?\.\d{1,9}|1\.0+)$/.test(value) ? Number(value) : value),
  } satisfies Setting<number, number>,
  'telemetry.metrics_interval': durationSetting({
    summary: 'Interval between exports of metrics; `0` disables them.',
    env: ['CATALOG_OTLP_METRICS_INTERVAL'],
    default: 60,
  }),
  'telemetry.service_name': textSetting({
    summary: 'The `service.name` of traces and metrics.',
    env: ['CATALOG_OTLP_SERVICE_NAME'],
    default: 'catalog',
  }),
  'telemetry.resource_attributes': textSetting({
    summary:
      'Further resource attributes, such as `deployment.environment.name=production`: `name=value` pairs, separated by commas, with percent-encoded values.',
    env: ['CATALOG_OTLP_RESOURCE_ATTRIBUTES'],
    default: undefined,
    check: PAIRS,
  }),
} as const satisfies Readonly<Record<string, Setting>>;

function ratio(): Check<number> {
  const shape = 'a number from 0 to 1';
  return {
    shape,
    read(value, at) {
      if (typeof value === 'number' && value >= 0 && value <= 1) return value;
      at.problems.push({
        path: [...at.path],
        code: INVALID_FIELD,
        message: `\`${at.path.join('.')}\` must be ${shape}.`,
        fix: 'Write it in decimals, such as 0.1.',
      });
      return undefined;
    },
  };
}
