import { listLayers } from '@catalog/contract/endpoints/layers';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import type { RegistryServer } from '@catalog/testkit/registry-server';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWebRegistry } from './web-registry.ts';

const TIMEOUT = { timeout: 120_000 };

let server: RegistryServer;
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  server = await startWebRegistry();
  const { cert } = await createCertificateAuthority();
  browser = await startBrowser({ ca: cert, keep: true });
}, TIMEOUT.timeout);

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
});

/** Number of Tab presses after which an element is considered unreachable. */
const MAX_TABS = 80;

/** A focused element or its container has an outline; a menu item has a different background. */
const HAS_VISIBLE_FOCUS = `(() => {
  const element = document.activeElement;
  const menu = element.closest('[role=menu]');
  if (menu) return getComputedStyle(element).backgroundColor !== getComputedStyle(menu).backgroundColor;
  for (let one = element; one; one = one.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    if ((outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none') return true;
  }
  return false;
})()`;

/** Presses a key until an element has the focus, and checks that the focus is visible. */
async function reach(target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if (await target.evaluate((element) => element.matches(':focus'))) {
      expect(await page.evaluate<boolean>(HAS_VISIBLE_FOCUS), target.toString()).toBe(true);
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${target.toString()}`);
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

function title(name: string): Promise<void> {
  return page.getByRole('heading', { name, exact: true }).waitFor();
}

test('the tree of domains opens an artifact', TIMEOUT, async () => {
  await page.goto(`${server.url}/app/`);
  await reach(page.getByRole('link', { name: 'Browse', exact: true }));
  await press('Enter');
  const tree = page.getByRole('treegrid', { name: 'Domains' });
  await reach(tree.getByRole('row', { name: 'engineering' }));
  await press('ArrowDown', 'ArrowRight');
  const release = tree.getByRole('row', { name: 'release' });
  await reach(release, 'ArrowDown');
  await press('Enter');
  await title('release');
  // The new page has the focus, so that the next key continues there.
  await reach(page.getByRole('main').getByRole('link', { name: 'ops/release/preflight' }));
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'preflight' }).waitFor();
  await page.goBack();
  await title('release');
});

test('the link at the start of the page skips the header', TIMEOUT, async () => {
  await page.goto(`${server.url}/app/browse/ops`);
  await title('ops');
  await reach(page.getByRole('link', { name: 'Skip to content' }));
  await press('Enter', 'Tab');
  const isInside = await page
    .getByRole('main')
    .evaluate((main) => main.matches(':focus-within') && !main.matches(':focus'));
  expect(isInside).toBe(true);
});

test('search: type, filter, and open a result', TIMEOUT, async () => {
  await page.goto(`${server.url}/app/`);
  await title('Domains');
  await press('/');
  await page.keyboard.type('release');
  await page.locator('[data-results] ol > li').first().waitFor();
  await reach(page.getByRole('checkbox', { name: /^skill/ }));
  await press('Space');
  await page.waitForURL(/\?q=release&type=skill$/);
  await reach(page.getByRole('button', { name: 'type skill , remove filter' }));
  await press('Enter');
  await page.waitForURL(/\?q=release$/);
  await press('/', 'ArrowDown', 'ArrowDown', 'ArrowUp');
  const first = page.locator('[data-results] ol > li').first().getByRole('link');
  const id = await first.textContent();
  await reach(first);
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: id?.split('/').at(-1) ?? '' }).waitFor();
});

test('an artifact: every tab, the install command, two versions', TIMEOUT, async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${server.url}/app/artifacts/ops/release/preflight`);
  await title('Steps');
  await reach(page.getByRole('button', { name: 'Cursor' }));
  await press('Space');
  await page.getByRole('button', { name: 'Cursor', pressed: true }).waitFor();
  await reach(page.getByRole('button', { name: 'Copy the install command' }));
  await press('Enter');
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `catalog sync --include ops/release/preflight --harness cursor --registry ${server.url}`,
  );
  const tabs = page.getByRole('navigation', { name: 'Artifact' });
  for (const [name, shows] of [
    ['files', 'references/checklist.md'],
    ['harnesses', 'Claude Code'],
    ['provenance', 'Why you see this'],
    ['versions', 'Changes from 2.1.0 to 2.3.1'],
  ] as const) {
    await reach(tabs.getByRole('link', { name: new RegExp(`^${name}`) }));
    await press('Enter');
    await tabs.locator('..').getByText(shows).first().waitFor();
  }
  await reach(page.getByRole('radio', { name: 'Compare from 2.1.0' }));
  await press('ArrowDown');
  await title('Changes from 2.0.0 to 2.3.1');
  // The selected option keeps the focus, so that the next arrow key continues from it.
  await press('ArrowUp');
  await title('Changes from 2.1.0 to 2.3.1');
});

test('layers: reorder with a preview', TIMEOUT, async () => {
  await page.goto(`${server.url}/app/layers`);
  const grid = page.getByRole('grid', { name: 'Layers' });
  await reach(grid.getByRole('row', { name: /^platform/ }));
  await press('ArrowRight');
  await reach(grid.getByRole('button', { name: 'Move platform' }), 'ArrowRight');
  await press('Enter');
  await page.getByRole('button', { name: 'Insert between platform and team' }).waitFor();
  await press('ArrowDown', 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Change the order of layers?' });
  await dialog.getByText('Every artifact stays the same for you.').waitFor();
  // Canceling restores the order and the focus.
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await grid.locator('b').allTextContents()).toEqual(['platform', 'team']);
  await reach(grid.getByRole('button', { name: 'Move platform' }), 'ArrowRight');
  await press('Enter', 'ArrowDown', 'Enter');
  await reach(dialog.getByRole('button', { name: 'Save the new order' }));
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await server.call(listLayers)).layers.map(({ id }) => id))
    .toEqual(['platform', 'team']);
});

test('layers: register, remove and restore', TIMEOUT, async () => {
  await page.goto(`${server.url}/app/layers`);
  await reach(page.getByRole('link', { name: 'Add a layer' }));
  await press('Enter');
  const name = page.getByRole('textbox', { name: 'Name' });
  await reach(name);
  // Enter in a form with missing fields focuses the first of them.
  await press('Enter');
  await page.getByText('Enter a name.').waitFor();
  await reach(name);
  await page.keyboard.type('typed');
  await reach(page.getByRole('radio', { name: /^Git repository/ }));
  await press('ArrowDown');
  await reach(page.getByRole('textbox', { name: 'Path' }));
  await page.keyboard.type(server.folder);
  await reach(page.getByRole('radio', { name: /^Organization/ }));
  await press('ArrowDown', 'ArrowDown', 'ArrowDown');
  expect(await page.getByRole('radio', { name: /^Everyone/ }).isChecked()).toBe(true);
  await reach(page.getByRole('button', { name: 'Add the layer' }));
  await press('Enter');
  await title('typed was added');
  await reach(page.getByRole('link', { name: 'Watch the ingest' }));
  await press('Enter');
  await reach(page.getByRole('button', { name: 'Remove' }));
  await press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Remove typed?' });
  await reach(dialog.getByRole('button', { name: 'Cancel' }));
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await reach(page.getByRole('button', { name: 'Remove' }));
  await press('Enter');
  await reach(dialog.getByRole('button', { name: 'Remove the layer' }));
  await press('Enter');
  await reach(page.getByRole('button', { name: 'Restore typed' }));
  await press('Enter');
  await page.getByRole('row', { name: /^typed/ }).waitFor();
});

test('the menu: theme and shortcuts', TIMEOUT, async () => {
  await page.goto(`${server.url}/app/browse`);
  await title('All domains');
  await reach(page.getByRole('button', { name: 'Menu' }));
  await press('Enter');
  await reach(page.getByRole('menuitemradio', { name: 'Dark' }), 'ArrowDown');
  await press('Enter');
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press('g', 'l');
  await title('Layers');
});
