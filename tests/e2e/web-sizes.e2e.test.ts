import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { startRegistry } from '@catalog/testkit/registry-server';
import { listWebPages, readLayoutShift, untilSettled } from '@catalog/testkit/web-pages';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { writeCatalog } from '../../bench/fixtures/catalog.ts';
import { readTree } from './web-registry.ts';

const TIMEOUT = { timeout: 600_000 };
const MAX_LAYOUT_SHIFT = 0.05;
const VIEWPORT = { width: 1280, height: 800 };
/** Set by `./dev screenshots --artifacts N`, which renders the pages. */
const isWriting = process.env['CATALOG_SCREENSHOTS'] === 'write';
const ARTIFACTS = Number(process.env['CATALOG_SCREENSHOTS_ARTIFACTS'] ?? 0);
/** Set by `./dev screenshots --registry URL`, for registries that take too long to fill. */
const RUNNING = process.env['CATALOG_SCREENSHOTS_REGISTRY'];
const FOLDER = RUNNING === undefined ? `${ARTIFACTS}-artifacts` : 'registry';
const DRAWN = join(import.meta.dirname, `../../.cache/web-screenshots/${FOLDER}`);

function createLayer(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-sizes-'));
  try {
    writeCatalog(folder, { n: ARTIFACTS, seed: '1' });
    return readTree(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`every page works with ${ARTIFACTS} artifacts`, TIMEOUT, async () => {
  if (RUNNING !== undefined) return visitPages(RUNNING, await startBrowser({}));
  const server = await startRegistry({
    settings: { 'web_ui.enabled': true, 'embedding_provider.type': 'none' },
    keep: true,
  });
  const browser = await startBrowser({ keep: true });
  try {
    if (ARTIFACTS > 0) await server.ingest(createLayer(), { id: 'platform', public: true });
    await visitPages(server.url, browser);
  } finally {
    // The timeout of a hook is shorter than that of a test, and a large layer has many files to remove.
    await browser.close();
    await server.close();
  }
});

async function visitPages(url: string, browser: TestBrowser): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const drawn: string[] = [];
  for (const { name, path } of await listWebPages(url)) {
    await page.goto(`${url}/app/${path}`);
    await untilSettled(page);
    expect(await page.getByRole('alert').count(), name).toBe(0);
    expect(await readLayoutShift(page), `${name} moved`).toBeLessThan(MAX_LAYOUT_SHIFT);
    if (isWriting) drawn.push(await draw(page, name));
  }
  expect(complaints).toEqual([]);
  if (isWriting) await drawSheet(browser, drawn);
}

test('an empty registry suggests the next step', TIMEOUT, async () => {
  const server = await startRegistry({ settings: { 'web_ui.enabled': true } });
  const browser = await startBrowser({});
  const page = await browser.newPage({ viewport: VIEWPORT });
  for (const path of ['', 'browse', 'search', 'search?q=release', 'layers', 'account']) {
    await page.goto(`${server.url}/app/${path}`);
    await page.getByRole('main').getByRole('link', { name: 'Add a layer' }).first().waitFor();
  }
  await server.ingest({ 'notes.txt': 'Nothing yet.' }, { id: 'empty' });
  await page.goto(`${server.url}/app/`);
  await page.getByRole('link', { name: 'Check the layers' }).click();
  await page.getByText('highest precedence first').waitFor();
});

async function draw(page: Page, name: string): Promise<string> {
  mkdirSync(DRAWN, { recursive: true });
  const path = join(DRAWN, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

async function drawSheet(browser: TestBrowser, paths: readonly string[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  const images = paths.map(
    (path) =>
      `<img width="620" style="border: 1px solid gray" src="data:image/png;base64,${readFileSync(path, 'base64')}">`,
  );
  await page.setContent(images.join('\n'));
  await page.screenshot({ path: join(DRAWN, 'sheet.png'), fullPage: true });
}
