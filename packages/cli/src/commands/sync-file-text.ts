import { harnessNames } from '@catalog/consumer/config/harness-names';
import { yamlScalar } from './yaml-scalar.ts';

export const STANDALONE_REGISTRY = 'http://127.0.0.1:8080';

export interface SyncFileDefaults {
  registry: string;
  /** Harness; several are separated by commas. */
  harness?: string | undefined;
  target?: string | undefined;
}

export function formatSyncFile({ registry, harness, target }: SyncFileDefaults): string {
  const values = {
    registry: yamlScalar(registry),
    harness: harness === undefined ? undefined : harnessValue(harnessNames(harness)),
    target: target === undefined ? undefined : yamlScalar(target),
  };
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`  ${key}: ${value}`],
  );
  return [
    '# Defaults of `catalog sync`. To print all effective values, run `catalog config show`.',
    'defaults:',
    ...lines,
    '',
  ].join('\n');
}

function harnessValue(names: readonly string[]): string {
  const scalars = names.map((name) => yamlScalar(name)).join(', ');
  return names.length === 1 ? scalars : `[${scalars}]`;
}
