import type { Check } from '@catalog/core/manifest/field-checks';
import { checked } from './setting.ts';

/** Accepts a URL and removes trailing slashes. */
export function addressLike(example: string): Check<string> {
  return checked(
    'an http or https URL without a query',
    `Write the full URL, such as \`${example}\`.`,
    readPublicUrl,
  );
}

function readPublicUrl(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.search !== '' || url.hash !== '' || url.username !== '') return undefined;
  return value.replace(/\/+$/, '');
}
