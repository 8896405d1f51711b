import { checked } from './setting.ts';

export const dsn = checked(
  'the URL of a PostgreSQL database',
  'Write it as `postgres://user:password@host:5432/database`. In the password, percent-encode special characters, such as `%2F` for `/`.',
  (value) => (isDsn(value) ? value : undefined),
);

function isDsn(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.pathname.length > 1;
}

export function maskDsn(value: string): string {
  const url = new URL(value);
  if (url.password !== '') url.password = '***';
  for (const name of new Set(url.searchParams.keys())) {
    if (name.includes('password')) url.searchParams.set(name, '***');
  }
  return url.href;
}
