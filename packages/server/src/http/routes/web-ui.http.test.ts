import {
  resourceMetadata,
  webUi,
  webUiAsset,
  webUiRoot,
} from '@catalog/contract/endpoints/browser';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/strict-answer';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../../../tests/requirements/verifies.ts';

let server: RegistryServer;

beforeAll(async () => {
  server = await startRegistry({ keep: true, settings: { 'web_ui.enabled': true } });
});
afterAll(() => server?.close());

describe('the page at /app/', () => {
  test('is served with a policy that admits nothing but its own files', async () => {
    const { status, headers, raw } = await server.request(webUi);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(headers['x-frame-options']).toBe('DENY');
    const page = raw.toString();
    // What the policy would keep from running is not in it.
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style="/);
    const files = [...page.matchAll(/(?:src|href)="([^/"][^"]*)"/g)].map(([, file = '']) => file);
    expect(new Set(files)).toEqual(new Set(['app.js', 'app.css', 'icon.svg']));
    for (const file of files) {
      expect((await server.request(webUiAsset, { params: { file } })).status, file).toBe(200);
    }
  });

  test('is told from its files by their types', async () => {
    for (const [file, type] of [
      ['app.js', 'text/javascript; charset=utf-8'],
      ['app.css', 'text/css; charset=utf-8'],
      ['icon.svg', 'image/svg+xml'],
    ] as const) {
      const { headers } = await server.request(webUiAsset, { params: { file } });
      expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
        type,
        'nosniff',
      ]);
    }
  });

  test('is not sent twice to who has it', async () => {
    const { headers } = await server.request(webUi);
    const again = await server.request(webUi, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, again.raw.length]).toEqual([304, 0]);
  });

  test('has no other files, whatever they are called', async () => {
    for (const file of ['other.js', '../sign-in.ts', '%2e%2e', '__proto__', 'constructor']) {
      const { status, body } = await server.request(webUiAsset, { params: { file } });
      expect([status, errorOf(body)?.code], file).toEqual([404, 'registry.not_found']);
    }
  });

  verifies(['UI-08', 'UI-09'], 'is where / leads, and is nowhere else', async () => {
    const { status, headers } = await server.request(webUiRoot);
    expect([status, headers.location]).toEqual([302, '/app/']);
    const without = await startRegistry();
    for (const path of ['/', '/app/', '/app/app.js']) {
      expect((await without.request(path)).status, path).toBe(404);
    }
    expect((await server.request('/ui/')).status).toBe(404);
  });
});

describe('the metadata of the protected resource (RFC 9728)', () => {
  test('names the issuer, the audience and the public client', async () => {
    const issuer = await startTokenIssuer();
    const taking = await startRegistry({
      settings: {
        'identity_provider.type': 'oidc-jwt',
        'identity_provider.issuer': issuer.issuer,
        'identity_provider.audience': ['other', TEST_AUDIENCE],
        'identity_provider.client_id': 'the-cli',
        ca_file: issuer.ca_file,
        public_url: 'https://catalog.test',
      },
    });
    expect(await taking.call(resourceMetadata)).toEqual({
      resource: 'https://catalog.test',
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'profile', 'email', 'groups', 'offline_access'],
      resource_name: 'catalog',
      catalog_client_id: 'the-cli',
      catalog_audience: TEST_AUDIENCE,
    });
  });

  test('is not there where no tokens of an issuer are taken', async () => {
    expect((await server.request(resourceMetadata)).status).toBe(404);
  });
});
