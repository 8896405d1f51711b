import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';

export function certificateBundle(ca_file: string): string {
  const usual = new Set([...getCACertificates('bundled'), ...getCACertificates('system')]);
  return [...usual, readFileSync(ca_file, 'utf8')].join('\n');
}
