import {
  resourceMetadata,
  webUi,
  webUiAsset,
  webUiRoot,
} from '@catalog/contract/endpoints/browser';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/checked-response';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

let server: RegistryServer;

beforeAll(async () => {
  server = await startRegistry({ keep: true, settings: { 'web_ui.enabled': true } });
});
afterAll(() => server?.close());

async function listAssets(): Promise<string[]> {
  const { raw } = await server.request(webUi);
  return [...raw.toString().matchAll(/(?:src|href)="\/app\/assets\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  );
}

describe('web UI at /app/', () => {
  verifies('UI-03', 'is served with a policy that allows only its own files', async () => {
    const { status, headers, raw } = await server.request(webUi);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    for (const directive of [
      "require-trusted-types-for 'script'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]) {
      expect(String(policy).split('; ')).toContain(directive);
    }
    expect(headers['x-frame-options']).toBe('DENY');
    const page = raw.toString();
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style="/);
    expect(page).toMatch(/<noscript>[^]*catalog search[^]*\/v1\/artifact\.md[^]*<\/noscript>/);
    const files = await listAssets();
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      expect((await server.request(webUiAsset, { params: { file } })).status, file).toBe(200);
    }
  });

  test('is the same document for every page, so that links can be opened directly', async () => {
    const { raw } = await server.request(webUi);
    for (const page of ['search', 'artifacts/ops/deploy/check', 'browse/a%20b', 'layers/x/edit']) {
      const answer = await server.request(`/app/${page}?q=x`);
      expect([answer.status, answer.raw.equals(raw)], page).toEqual([200, true]);
    }
  });

  test('returns 404 for unknown paths, regardless of existing artifacts', async () => {
    const { raw } = await server.request(webUi);
    for (const page of ['no-such-page', 'artifacts', 'layers/a/b', 'search/x']) {
      const answer = await server.request(`/app/${page}`);
      expect([answer.status, answer.raw.equals(raw)], page).toEqual([404, true]);
      expect(answer.headers['content-security-policy'], page).toMatch(/^default-src 'none'; /);
    }
    // Hidden artifacts and missing ones have the same status.
    expect((await server.request('/app/artifacts/ops/missing')).status).toBe(200);
  });

  test('links to the Markdown of an artifact for clients without scripts', async () => {
    const { headers } = await server.request('/app/artifacts/ops/a%20%22b%22%0d%0a%3e?tab=files');
    const [, path = ''] = /^<([^<>\s"]+)>; rel="alternate"; type="text\/markdown"$/.exec(
      String(headers['link']),
    )!;
    const url = new URL(path, 'http://registry');
    expect([url.pathname, url.searchParams.get('id')]).toEqual([
      '/v1/artifact.md',
      'ops/a "b"\r\n>',
    ]);
    for (const page of ['search', 'artifacts', 'layers/artifacts']) {
      expect((await server.request(`/app/${page}`)).headers['link'], page).toBeUndefined();
    }
  });

  test('has immutable assets', async () => {
    const types = new Map([
      ['js', 'text/javascript; charset=utf-8'],
      ['css', 'text/css; charset=utf-8'],
      ['png', 'image/png'],
      ['woff2', 'font/woff2'],
    ]);
    for (const file of await listAssets()) {
      const { headers } = await server.request(webUiAsset, { params: { file } });
      expect(headers['content-type'], file).toBe(types.get(file.split('.').at(-1) ?? ''));
      expect(headers['cache-control'], file).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options'], file).toBe('nosniff');
    }
    const { headers } = await server.request(webUi);
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  test('has scripts compressed by the build at the highest quality', async () => {
    const file = (await listAssets()).find((name) => /^app-.*\.js$/.test(name)) ?? '';
    const plain = await server.request(webUiAsset, { params: { file } });
    const packed = await server.request(webUiAsset, {
      params: { file },
      headers: { 'accept-encoding': 'br' },
    });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.headers.vary).toBe('Accept-Encoding');
    const best = brotliCompressSync(plain.raw, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.raw.length },
    });
    expect(Number(packed.headers['content-length'])).toBeLessThanOrEqual(best.length);
  });

  test('returns 304 if the client has the current document', async () => {
    const { headers } = await server.request(webUi);
    const again = await server.request(webUi, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, again.raw.length]).toEqual([304, 0]);
  });

  test('returns 404 for other asset names', async () => {
    for (const file of ['other.js', '../index.html', '%2e%2e', '__proto__', 'constructor']) {
      const { status, body } = await server.request(webUiAsset, { params: { file } });
      expect([status, errorOf(body)?.code], file).toEqual([404, 'registry.not_found']);
    }
  });

  verifies(['UI-08', 'UI-09'], 'is the target of / and is absent if disabled', async () => {
    const { status, headers } = await server.request(webUiRoot);
    expect([status, headers.location]).toEqual([302, '/app/']);
    const without = await startRegistry();
    for (const path of ['/', '/app/', '/app/search', '/app/assets/app.js']) {
      expect((await without.request(path)).status, path).toBe(404);
    }
    expect((await server.request('/ui/')).status).toBe(404);
  });
});

describe('metadata of the protected resource (RFC 9728)', () => {
  test('contains the issuer, the audience and the public client', async () => {
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

  test("returns 404 if the registry accepts no issuer's tokens", async () => {
    expect((await server.request(resourceMetadata)).status).toBe(404);
  });
});
