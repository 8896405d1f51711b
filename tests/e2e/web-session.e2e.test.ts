import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import type { ProviderServer } from '@catalog/testkit/provider-users';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { CALLBACK } from '@catalog/testkit/sign-in-place';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../tools/services/free-port.ts';
import { findSeriousProblems } from './web-accessibility.ts';

const TIMEOUT = { timeout: 120_000 };
const TOKEN_SECONDS = 3600;

let browser: TestBrowser;
let provider: ProviderServer;
let folder: string;
let bind: string;
let origin: string;
let tls: { cert_file: string; key_file: string };

beforeAll(async () => {
  const authority = await createCertificateAuthority();
  folder = mkdtempSync(join(tmpdir(), 'catalog-web-session-'));
  const port = await freePort();
  bind = `127.0.0.1:${port}`;
  origin = `https://localhost:${port}`;
  tls = await authority.issueFiles(folder);
  writeTree(join(folder, 'content'), {
    'ops/tidy/ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\ndescription: Tidy up.\n---\nTidy.\n',
  });
  const redirect_uris = [`${origin}${CALLBACK}`];
  provider = await startOidcProvider({ authority, redirect_uris, keep: true });
  browser = await startBrowser({ ca: authority.cert, keep: true });
}, TIMEOUT.timeout);

afterAll(async () => {
  await browser?.close();
  await provider?.close();
  await rm(folder, { recursive: true, force: true });
});

function serve(options: { keep?: true } = {}): Promise<RegistryServer> {
  return startRegistry({
    ...options,
    settings: {
      ...provider.settings(`${origin}${CALLBACK}`),
      bind,
      'tls.cert': tls.cert_file,
      'tls.key': tls.key_file,
      bootstrap_admins: ['alice'],
    },
  });
}

async function authenticate(page: Page, name: string): Promise<void> {
  const { login, password } = provider.credentialsOf(name);
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

async function fillForm(page: Page, id: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(id);
  await page.getByRole('radio', { name: /^Folder on the server/ }).check();
  await page.getByRole('textbox', { name: 'Path' }).fill(join(folder, 'content'));
}

async function expectForm(page: Page, id: string): Promise<void> {
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(id);
  const path = page.getByRole('textbox', { name: 'Path' });
  expect(await path.inputValue()).toBe(join(folder, 'content'));
}

test('deep links and typed input survive signing in and an expired session', TIMEOUT, async () => {
  await serve();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.goto(`${origin}/app/layers/new`);
  await page.getByRole('heading', { name: 'Sign in to add a layer' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findSeriousProblems(page)).toEqual([]);
  }
  await fillForm(page, 'tidy');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await authenticate(page, 'alice');
  await page.getByRole('button', { name: 'Menu of alice@example.com' }).waitFor();
  expect(page.url()).toBe(`${origin}/app/layers/new`);
  await expectForm(page, 'tidy');

  await page.getByRole('textbox', { name: 'Name' }).fill('tidier');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * TOKEN_SECONDS * 1000 });
  try {
    await page.getByRole('button', { name: 'Add the layer' }).click();
    await page.getByText('Your session has expired. What you typed is kept.').waitFor();
    await expectForm(page, 'tidier');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findSeriousProblems(page)).toEqual([]);
    }
    await page.getByRole('link', { name: 'Sign in again' }).first().click();
    await page.waitForURL((url) => url.origin !== origin || url.pathname === '/app/layers/new');
    if (!page.url().startsWith(origin)) await authenticate(page, 'alice');
    await page.getByRole('button', { name: 'Menu of alice@example.com' }).waitFor();
    expect(page.url()).toBe(`${origin}/app/layers/new`);
    await expectForm(page, 'tidier');
    await page.getByRole('button', { name: 'Add the layer' }).click();
    await page.getByRole('heading', { name: 'tidier was added' }).waitFor();
  } finally {
    vi.useRealTimers();
  }
});

test('back and forward work after signing in, until signing out', TIMEOUT, async () => {
  const server = await serve();
  const page = await browser.newPage();
  await page.goto(`${origin}/app/search?q=tidy&type=rule`);
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await authenticate(page, 'alice');
  await page.getByRole('button', { name: 'Menu of alice@example.com' }).waitFor();
  expect(page.url()).toBe(`${origin}/app/search?q=tidy&type=rule`);
  await page.reload();
  await page.getByRole('button', { name: 'Menu of alice@example.com' }).waitFor();
  expect(page.url()).toBe(`${origin}/app/search?q=tidy&type=rule`);
  await page.getByRole('link', { name: 'Layers', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Layers' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'type rule , remove filter' }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Search artifacts' }).inputValue()).toBe('tidy');
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'Layers' }).waitFor();
  await page.evaluate(`sessionStorage.setItem('catalog.layer-draft', '{"id":"drafts"}')`);
  await page.getByRole('button', { name: 'Menu of alice@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
  expect(page.url()).toBe(`${origin}/app/layers`);
  expect(await page.getByText('Your session has expired').count()).toBe(0);
  await server.close();
});

test('a page recovers without a reload when the registry has recovered', TIMEOUT, async () => {
  const first = await serve({ keep: true });
  const page = await browser.newPage();
  await page.goto(`${origin}/app/browse`);
  await page.getByRole('heading', { level: 1, name: 'All domains' }).waitFor();
  await page.evaluate('window.isSamePage = true');
  await first.close();
  await page.keyboard.press('/');
  await page.keyboard.type('tidy');
  await page.getByText('The registry does not respond.').waitFor();
  await page.getByRole('heading', { name: 'The registry did not respond' }).waitFor();
  await serve();
  await page.getByText('0 results').waitFor();
  await page
    .getByRole('heading', { name: 'The registry did not respond' })
    .waitFor({ state: 'detached' });
  expect(await page.getByText('The registry does not respond.').count()).toBe(0);
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});
