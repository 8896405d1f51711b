import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { startDex } from '@catalog/testkit/dex-server';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import type { ProviderServer } from '@catalog/testkit/provider-users';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { CALLBACK, SESSION_COOKIE, TRANSACTION_COOKIE } from '@catalog/testkit/sign-in-place';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../tools/services/free-port.ts';

const TOKEN_SECONDS = 3600;
const TIMEOUT = { timeout: 60_000 };

interface Case {
  name: string;
  start: (options: {
    authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
    redirect_uris: readonly string[];
    keep: true;
  }) => Promise<ProviderServer>;
}

const cases: readonly Case[] = [
  { name: 'oidc-provider', start: startOidcProvider },
  { name: 'Dex', start: startDex },
];

describe.each(cases)('browser sign-in with $name', ({ start }) => {
  let browser: TestBrowser;
  let provider: ProviderServer;
  let folder: string;
  let bind: string;
  let origin: string;
  let tls: { cert_file: string; key_file: string };

  beforeAll(async () => {
    const authority = await createCertificateAuthority();
    folder = mkdtempSync(join(tmpdir(), 'catalog-browser-'));
    const port = await freePort();
    bind = `127.0.0.1:${port}`;
    // A different site than the provider's, as in production.
    origin = `https://localhost:${port}`;
    tls = await authority.issueFiles(folder);
    const redirect_uris = [`${origin}${CALLBACK}`];
    provider = await start({ authority, redirect_uris, keep: true });
    browser = await startBrowser({ ca: authority.cert, keep: true });
  }, TIMEOUT.timeout);

  afterAll(async () => {
    await browser?.close();
    await provider?.close();
    await rm(folder, { recursive: true, force: true });
  });

  function serve(): Promise<RegistryServer> {
    return startRegistry({
      settings: {
        ...provider.settings(`${origin}${CALLBACK}`),
        bind,
        'tls.cert': tls.cert_file,
        'tls.key': tls.key_file,
        bootstrap_admins: ['alice'],
      },
    });
  }

  async function signIn(page: Page, name: string): Promise<void> {
    await page.goto(`${origin}/app/account`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    const { login, password } = provider.credentialsOf(name);
    await page.locator('[name=login]').fill(login);
    await page.locator('[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name }).waitFor();
  }

  function waitForSignedOut(page: Page): Promise<void> {
    return page.getByRole('heading', { name: 'Not signed in' }).waitFor();
  }

  async function cookiesOf(page: Page): Promise<object[]> {
    const cookies = await page.context().cookies(origin);
    return cookies.map((cookie) => ({ ...cookie, value: undefined }));
  }

  test(
    'keeps the session after a reload and a restart, until the user signs out',
    TIMEOUT,
    async () => {
      const first = await serve();
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.location().url.startsWith(origin)) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await signIn(page, 'alice');
      expect(page.url()).toBe(`${origin}/app/account`);
      await page.getByText('alice@example.com').waitFor();
      await page.getByText('You may manage every layer.').waitFor();
      const session = {
        name: SESSION_COOKIE,
        domain: 'localhost',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      };
      expect(await cookiesOf(page)).toEqual([session]);
      expect(await page.evaluate('document.cookie')).toBe('');

      await page.reload();
      await page.getByRole('heading', { name: 'alice' }).waitFor();
      await first.close();
      const second = await serve();
      await page.reload();
      await page.getByRole('heading', { name: 'alice' }).waitFor();
      expect(await cookiesOf(page)).toEqual([session]);

      await page.getByRole('button', { name: 'Menu of alice@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await waitForSignedOut(page);
      expect(await page.getByText('Your session has expired').count()).toBe(0);
      expect(await cookiesOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await second.close();
    },
  );

  test('keeps concurrent sessions of two users separate', TIMEOUT, async () => {
    await serve();
    const [one, other] = [await browser.newPage(), await browser.newPage()];
    await Promise.all([signIn(one, 'alice'), signIn(other, 'bob')]);
    await other.getByRole('heading', { name: 'bob' }).waitFor();
    await other.getByText('You may manage layers of your own.').waitFor();
    await one.reload();
    await one.getByRole('heading', { name: 'alice' }).waitFor();
  });

  test(
    'stores the transaction in a cookie during the redirect to the provider',
    TIMEOUT,
    async () => {
      await serve();
      const page = await browser.newPage();
      await page.goto(`${origin}/app/account`);
      await page.getByRole('link', { name: 'Sign in' }).first().press('Enter');
      await page.locator('[name=login]').waitFor();
      expect(await cookiesOf(page)).toEqual([
        {
          name: TRANSACTION_COOKIE,
          domain: 'localhost',
          path: '/',
          expires: expect.any(Number),
          httpOnly: true,
          secure: true,
          sameSite: 'Lax',
        },
      ]);
      await page.goBack();
      await waitForSignedOut(page);
    },
  );

  test('ends the session when its token expires', TIMEOUT, async () => {
    await serve();
    const page = await browser.newPage();
    await signIn(page, 'alice');
    // Moves only the clock of the registry: the browser keeps the cookie, which is no longer valid.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * TOKEN_SECONDS * 1000 });
    try {
      await page.reload();
      await waitForSignedOut(page);
      await page.getByText('Your session has expired. What you typed is kept.').waitFor();
      expect(await cookiesOf(page)).toMatchObject([{ name: SESSION_COOKIE }]);
    } finally {
      vi.useRealTimers();
    }
    await page.reload();
    await page.getByRole('heading', { name: 'alice' }).waitFor();
  });

  test(
    'returns to the account page, signed out, after an error of the provider',
    TIMEOUT,
    async () => {
      await serve();
      const page = await browser.newPage();
      await page.goto(`${origin}/app/account`);
      const authorizationRequest = page.waitForRequest((request) =>
        request.url().startsWith(provider.authorization_endpoint),
      );
      await page.getByRole('link', { name: 'Sign in' }).first().click();
      const state = new URL((await authorizationRequest).url()).searchParams.get('state');
      await page.locator('[name=login]').waitFor();
      await page.goto(`${origin}${CALLBACK}?error=access_denied&state=${state}`);
      await waitForSignedOut(page);
      expect(page.url()).toBe(`${origin}/app/account`);
      expect(await cookiesOf(page)).toEqual([]);
    },
  );

  test('rejects a sign-out request from another site', TIMEOUT, async () => {
    await serve();
    const page = await browser.newPage();
    await signIn(page, 'bob');
    await page.goto(`${provider.issuer}/.well-known/openid-configuration`);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/sign-out')),
      page.evaluate(`{
        const form = document.createElement('form');
        form.method = 'post';
        form.action = '${origin}/v1/ui/auth/sign-out';
        document.body.append(form);
        form.submit();
      }`),
    ]);
    expect(answer.status()).toBe(403);
    await page.waitForURL(/\/sign-out$/);
    await page.goto(`${origin}/app/account`);
    await page.getByRole('heading', { name: 'bob' }).waitFor();
  });
});

describe('account page', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    const { cert } = await createCertificateAuthority();
    browser = await startBrowser({ ca: cert, keep: true });
  }, TIMEOUT.timeout);
  afterAll(() => browser?.close());

  test('offers no sign-in on an open registry', TIMEOUT, async () => {
    const { url } = await startRegistry({ settings: { 'web_ui.enabled': true } });
    const page = await browser.newPage();
    await page.goto(url);
    expect(page.url()).toBe(`${url}/app/`);
    await page.goto(`${url}/app/account`);
    await page.getByRole('heading', { name: 'Open registry' }).waitFor();
    await page.getByText('You may manage every layer.').waitFor();
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
  });

  test('reports that the registry does not respond, and retries by keyboard', TIMEOUT, async () => {
    const { url } = await startRegistry({ settings: { 'web_ui.enabled': true } });
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
    await page.route('**/v1/ui/session', (route) => route.abort());
    await page.goto(`${url}/app/account`);
    await page.getByRole('heading', { name: 'The registry did not respond' }).waitFor();
    await page.unroute('**/v1/ui/session');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('heading', { name: 'Open registry' }).waitFor();
    const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(overflows)).toBe(false);
  });

  test('shows names of any length and with markup as plain text', TIMEOUT, async () => {
    const subject = `<img src=x onerror=alert(1)>${'very-long-'.repeat(40)}`;
    const { url } = await startRegistry({
      settings: {
        'web_ui.enabled': true,
        'identity_provider.type': 'trusted-headers',
        'identity_provider.proxy_secret': 'of the proxy',
      },
    });
    const page = await browser.newPage({
      viewport: { width: 360, height: 640 },
      extraHTTPHeaders: {
        'x-catalog-proxy-secret': 'of the proxy',
        'x-catalog-user-sub': subject,
      },
    });
    await page.goto(`${url}/app/account`);
    await page.getByRole('heading', { name: subject }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(subject);
    // Behind a proxy, the registry has no session of its own to end.
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Sign out' }).count()).toBe(0);
    const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(overflows)).toBe(false);
  });
});
