import type { UpdateTenantBody } from '@catalog/contract/records/access';
import { usageError } from '../../../command/usage-errors.ts';

export interface TenantFlags {
  'storage-bytes': string | undefined;
  'search-qps': string | undefined;
  'materialize-rate': string | undefined;
  'audit-volume-per-day': string | undefined;
  'max-user-layers': string | undefined;
  'expose-scope-preview': 'true' | 'false' | 'unset' | undefined;
  'extends-parents': 'any' | 'visible' | 'unset' | undefined;
}

const QUOTA = [
  ['storage-bytes', 'storage_bytes'],
  ['search-qps', 'search_qps'],
  ['materialize-rate', 'materialize_rate'],
  ['audit-volume-per-day', 'audit_volume_per_day'],
  ['max-user-layers', 'max_user_layers'],
] as const;

const PREVIEW = { true: true, false: false, unset: null } as const;

export function toTenantBody(flags: TenantFlags): Omit<UpdateTenantBody, 'active'> {
  const quota: NonNullable<UpdateTenantBody['quota']> = {};
  for (const [flag, member] of QUOTA) {
    const value = flags[flag];
    if (value !== undefined) quota[member] = readLimit(flag, value);
  }
  const preview = flags['expose-scope-preview'];
  const parents = flags['extends-parents'];
  return {
    ...(Object.keys(quota).length === 0 ? {} : { quota }),
    ...(preview === undefined ? {} : { expose_scope_preview: PREVIEW[preview] }),
    ...(parents === undefined ? {} : { extends_parents: parents === 'unset' ? null : parents }),
  };
}

function readLimit(flag: (typeof QUOTA)[number][0], value: string): number {
  const number = Number(value);
  const isWhole = flag === 'max-user-layers' ? /^-?\d{1,9}$/ : /^\d{1,15}$/;
  if (isWhole.test(value)) return number;
  throw usageError(
    `--${flag} must be an integer, not ${value}.`,
    `Use \`--${flag} 100\`, or 0 for ${flag === 'max-user-layers' ? 'the registry default' : 'no limit'}.`,
    { argument: `--${flag}` },
  );
}
