import { startRegistry } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import { openWorkspace, OPS } from './workspace.ts';

const UI = { 'web_ui.enabled': true };

test('catalog open prints the URL of a page that the registry serves', async () => {
  const { url } = await startRegistry({ settings: UI, layers: { base: OPS } });
  const { ok, json } = openWorkspace();
  expect((await ok(`open --registry ${url}`)).stdout).toBe(`${url}/app/\n`);
  const { document } = await json(`open ops/deploy/check@1.0.0 --registry ${url}`);
  expect(document).toEqual({ url: `${url}/app/artifacts/ops/deploy/check?version=1.0.0` });
  const response = await fetch(`${url}/app/artifacts/ops/deploy/check?version=1.0.0`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
});

test('catalog open reports that a registry does not serve the web UI', async () => {
  const { url } = await startRegistry();
  const { error } = openWorkspace();
  const failure = await error(`open --registry ${url}`);
  expect(failure.error).toMatchObject({
    code: 'registry.not_found',
    message: 'This registry does not serve the web UI.',
  });
});
