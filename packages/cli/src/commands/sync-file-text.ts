import { yamlScalar } from './yaml-scalar.ts';

/** Where a registry on this machine listens when nobody says otherwise. */
export const STANDALONE_REGISTRY = 'http://127.0.0.1:8080';

/** What a new `sync.yaml` is to say; absent members are left out of it. */
export interface SyncFileDefaults {
  registry: string;
  harness?: string | undefined;
  target?: string | undefined;
}

export function formatSyncFile({ registry, harness, target }: SyncFileDefaults): string {
  const lines = Object.entries({ registry, harness, target }).flatMap(([key, value]) =>
    value === undefined ? [] : [`  ${key}: ${yamlScalar(value)}`],
  );
  return [
    '# What catalog delivers, and into what. `catalog config show` prints every value in force.',
    'defaults:',
    ...lines,
    '',
  ].join('\n');
}
