import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSeriousProblems } from './web-accessibility.ts';
import { startWebRegistry } from './web-registry.ts';

const TIMEOUT = { timeout: 120_000 };

let server: RegistryServer;
let empty: RegistryServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await startWebRegistry();
  empty = await startRegistry({ keep: true, settings: { 'web_ui.enabled': true } });
  const { cert } = await createCertificateAuthority();
  browser = await startBrowser({ ca: cert, keep: true });
}, TIMEOUT.timeout);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await empty?.close();
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}/app/${path}`);
}

function title(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { name }).waitFor();
}

async function fillGitForm(page: Page, id: string): Promise<void> {
  await open(page, 'layers/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(id);
  // No server listens on this port.
  await page.getByRole('textbox', { name: 'Repository' }).fill('https://127.0.0.1:9/acme.git');
}

/** States that a URL alone does not show, with the steps to reach each. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async 'preview of a new order of layers'(page) {
    await open(page, 'layers');
    await page.getByRole('grid', { name: 'Layers' }).waitFor();
    await page.getByRole('button', { name: 'Move platform' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Insert between platform and team' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the order of layers?' });
    await dialog.getByText('Every artifact stays the same for you.').waitFor();
  },
  async 'layer while it is dragged by keyboard'(page) {
    await open(page, 'layers');
    await page.getByRole('button', { name: 'Move platform' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Insert between platform and team' }).waitFor();
  },
  async 'question before a layer is removed'(page) {
    await open(page, 'layers/platform');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog', { name: 'Remove platform?' }).waitFor();
  },
  async 'dialog with an error'(page) {
    await open(page, 'layers/platform');
    await page.route('**/v1/layers?*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove platform?' });
    await dialog.getByRole('button', { name: 'Remove the layer' }).click();
    await dialog.getByRole('heading', { name: 'The registry did not respond' }).waitFor();
  },
  async 'form with missing fields'(page) {
    await open(page, 'layers/new');
    await page.getByRole('radio', { name: /^Groups/ }).check();
    await page.getByRole('button', { name: 'Add the layer' }).click();
    await page.getByText('Enter at least one group.').waitFor();
    const name = page.getByRole('textbox', { name: 'Name', description: 'Enter a name.' });
    expect(await name.getAttribute('aria-invalid')).toBe('true');
  },
  async 'form with a source that cannot be read'(page) {
    await fillGitForm(page, 'unreadable');
    await page.getByRole('button', { name: 'Test the source' }).click();
    await title(page, 'Layer unreadable: the registry may not connect to its host.');
  },
  async 'form that the registry rejects'(page) {
    await open(page, 'layers/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('rejected');
    await page.getByRole('radio', { name: /^Folder on the server/ }).check();
    await page.getByRole('textbox', { name: 'Path' }).fill('no/absolute/path');
    await page.getByRole('button', { name: 'Add the layer' }).click();
    await page.getByRole('alert').waitFor();
  },
  async 'webhook steps of a layer that was added'(page) {
    await fillGitForm(page, 'acme');
    await page.getByRole('button', { name: 'Add the layer' }).click();
    await title(page, 'acme was added');
    await title(page, 'Set up the webhook');
  },
  async 'layer whose ingest failed'(page) {
    await open(page, 'layers/acme');
    await page.getByText('failed').first().waitFor();
  },
  async 'removed layer'(page) {
    await open(page, 'layers/acme');
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove acme?' });
    await dialog.getByRole('button', { name: 'Remove the layer' }).click();
    await page.getByRole('button', { name: 'Restore acme' }).waitFor();
  },
  async 'missing layer'(page) {
    await open(page, 'layers/nothing');
    await title(page, 'There is no such layer');
  },
  async 'missing domain'(page) {
    await open(page, 'browse/nothing');
    await page.getByRole('treegrid', { name: 'Domains' }).waitFor();
    await title(page, 'There is no such domain');
  },
  async 'missing version'(page) {
    await open(page, 'artifacts/ops/release/preflight?version=9.9.9');
    await title(page, 'There is no such version');
  },
  async 'search without a result'(page) {
    await page.route('**/v1/search_artifacts*', async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), results: [], total_matched: 0, facets: {} };
      await route.fulfill({ json });
    });
    await open(page, 'search?q=zzqx');
    await title(page, 'Nothing matches “zzqx”');
  },
  async 'search without meaning'(page) {
    await page.route('**/v1/search_artifacts*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), degraded: true } });
    });
    await open(page, 'search?q=release');
    await page.getByText('Search by meaning is unavailable').waitFor();
  },
  async 'registry that does not respond'(page) {
    await page.route('**/v1/**', (route) => route.abort());
    await open(page, 'search?q=release');
    await title(page, 'The registry did not respond');
    await page.getByText('What you see may be out of date.').waitFor();
  },
  async 'page that cannot load'(page) {
    await page.route('**/assets/layers-*', (route) => route.abort());
    await open(page, 'layers');
    await title(page, 'This part of the page did not load');
  },
  async 'browser without a network'(page) {
    await open(page, 'browse/ops');
    await title(page, 'ops');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
  },
  async 'read-only registry'(page) {
    await page.route('**/v1/**', async (route) => {
      const response = await route.fetch();
      const lag = { 'x-catalog-read-only': 'true', 'x-catalog-read-only-lag-seconds': '7' };
      await route.fulfill({ response, headers: { ...response.headers(), ...lag } });
    });
    await open(page, 'layers/platform');
    await page.getByText('What you see may be up to 7 seconds old').waitFor();
    await page.getByRole('button', { name: 'Remove', disabled: true }).waitFor();
  },
  async 'loading page'(page) {
    await page.route('**/v1/load_artifact*', () => undefined);
    await open(page, 'artifacts/ops/release/preflight');
    await page.getByRole('status', { name: 'Loading the artifact' }).waitFor();
  },
  async 'account menu'(page) {
    await open(page, 'browse');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menu', { name: 'Menu' }).waitFor();
  },
  async 'list of keyboard shortcuts'(page) {
    await open(page, 'browse');
    await title(page, 'All domains');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
  async 'copied command'(page) {
    await page.context().grantPermissions(['clipboard-write']);
    await open(page, 'artifacts/ops/release/preflight');
    await page.getByRole('button', { name: 'Copy the install command' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
  },
  async 'empty registry'(page) {
    await page.goto(`${empty.url}/app/`);
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
  },
  async 'registry without layers'(page) {
    await page.goto(`${empty.url}/app/layers`);
    await title(page, 'No layers');
  },
};

test.each(Object.entries(STATES))(
  '%s has no serious accessibility problem in both themes',
  TIMEOUT,
  async (_name, show) => {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await show(page);
    expect(await findSeriousProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findSeriousProblems(page)).toEqual([]);
    await page.context().close();
  },
);

test('a page that failed to load can be loaded again with the button', TIMEOUT, async () => {
  const page = await browser.newPage();
  await page.route('**/assets/layers-*', (route) => route.abort());
  await open(page, 'layers');
  await title(page, 'This part of the page did not load');
  await page.getByRole('link', { name: 'Browse' }).press('Enter');
  await title(page, 'All domains');
  await page.getByRole('link', { name: 'Layers' }).press('Enter');
  await title(page, 'This part of the page did not load');
  await page.unroute('**/assets/layers-*');
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await title(page, 'Layers');
});

test(
  'a page that fails to render shows the error until another page is opened',
  TIMEOUT,
  async () => {
    const page = await browser.newPage();
    await page.route('**/v1/recent*', (route) => route.fulfill({ json: { artifacts: [null] } }));
    await open(page, '');
    await title(page, 'This page could not be shown');
    await page.getByRole('link', { name: 'Browse' }).press('Enter');
    await title(page, 'All domains');
  },
);

test.each(['nowhere', 'artifacts/ops/missing', 'browse/missing', 'layers/missing'])(
  'the page %s, which does not exist, has one main heading',
  TIMEOUT,
  async (path) => {
    const page = await browser.newPage();
    await open(page, path);
    await page.getByRole('heading', { name: 'There is no such' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await page.context().close();
  },
);

test('a URL with a line separator opens a page', TIMEOUT, async () => {
  const page = await browser.newPage();
  await open(page, `artifacts/${encodeURIComponent('one\u2028two')}`);
  await title(page, 'There is no such artifact');
  await open(page, encodeURIComponent('one\u2028two'));
  await title(page, 'There is no such page');
});

test('a URL with dot segments does not leave the application', TIMEOUT, async () => {
  const page = await browser.newPage();
  for (const below of ['artifacts', 'browse', 'layers']) {
    await open(page, `${below}/${encodeURIComponent('../../../v1/layers')}`);
    await title(page, 'There is no such page');
    const hrefs = await page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const links = hrefs.map((href) => new URL(href, page.url()).pathname);
    expect(links.filter((path) => !path.startsWith('/app/'))).toEqual([]);
  }
});

/** Character that reverses the direction of following text, and is invisible. */
const OVERRIDE = '\u202E';

test('names from the registry cannot reorder the text of a page', TIMEOUT, async () => {
  const page = await browser.newPage();
  await page.route('**/v1/**', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text
      .replaceAll(/"(name|path|type|kind)":"([^"]+)"/g, `"$1":"$2${OVERRIDE}"`)
      .replaceAll(/"from":"/g, `"from":"${OVERRIDE}`)
      .replaceAll(/hook_event: (\w+)/g, `hook_event: $1${OVERRIDE}`);
    await route.fulfill({ response, body });
  });
  const shown: readonly [path: string, text: string][] = [
    ['', 'engineering\\u{202e}'],
    ['browse', 'ops\\u{202e}'],
    ['search?q=release', 'skill\\u{202e}'],
    ['artifacts/engineering/git/block-secrets', '\\u{202e}'],
    ['artifacts/ops/release/preflight?tab=provenance', '\\u{202e}'],
  ];
  for (const [path, text] of shown) {
    await open(page, path);
    await page.getByRole('main').getByText(text).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('body').innerText(), path).not.toContain(OVERRIDE);
  }
});
