import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { webUi } from '@catalog/contract/endpoints/browser';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';

const LIBRARY = dirname(createRequire(import.meta.url).resolve('react-aria/package.json'));

function insertedStyle(module: string): string {
  const source = readFileSync(join(LIBRARY, `dist/private/${module}.mjs`), 'utf8');
  const template = /style\.textContent = `([^`]*)`\.trim\(\)/.exec(source)?.[1] ?? '';
  const attribute = /PRESSABLE_ATTRIBUTE = '([^']+)'/.exec(source)?.[1] ?? '';
  return template.replace(/\$\{[^}]*PRESSABLE_ATTRIBUTE\}/, attribute).trim();
}

test('the policy allows exactly the two style elements of React Aria, by hash', async () => {
  const server = await startRegistry({ settings: { 'web_ui.enabled': true } });
  const { headers } = await server.request(webUi);
  const allowed = String(headers['content-security-policy']).match(/'sha256-[^']+'/g);
  const derived = ['interactions/usePress', 'overlays/usePreventScroll'].map((module) => {
    const style = insertedStyle(module);
    expect(style, module).toMatch(/^@layer \{[^]*\}$/);
    return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  });
  expect(allowed).toEqual(derived);
});
