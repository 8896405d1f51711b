import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import type { RegistryServer } from '@catalog/testkit/registry-server';
import { readLayoutShift } from '@catalog/testkit/web-pages';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSeriousProblems } from './web-accessibility.ts';
import { startTeamRegistry, startWebRegistry } from './web-registry.ts';

const TIMEOUT = { timeout: 120_000 };
const MAX_LAYOUT_SHIFT = 0.05;
/** Set by `./dev screenshots`, which renders every page and updates the images of the guide. */
const isWriting = process.env['CATALOG_SCREENSHOTS'] === 'write';
const DRAWN = join(import.meta.dirname, '../../.cache/web-screenshots');
const GUIDE_IMAGES = join(import.meta.dirname, '../../docs/images/web');

const RELEASE_CHECK = 'ops/release/release-check';

/** Images in `docs/guide/web-ui.md`. They show the content of `examples/team`. */
const IN_GUIDE: readonly { name: string; path: string; shows: string; width?: number }[] = [
  { name: 'home-1280-light', path: '', shows: 'engineering' },
  { name: 'search-1280-dark', path: 'search?q=can+this+build+go+out', shows: 'by words' },
  { name: 'artifact-1280-light', path: `artifacts/${RELEASE_CHECK}`, shows: 'as written' },
  {
    name: 'harnesses-1280-light',
    path: 'artifacts/engineering/git/block-secrets?tab=harnesses&harness=cursor',
    shows: 'entry in a shared file',
  },
  {
    name: 'versions-1280-light',
    path: `artifacts/${RELEASE_CHECK}?tab=versions`,
    shows: 'Changes from',
  },
  { name: 'layers-1280-light', path: 'layers', shows: 'highest precedence first' },
  {
    name: 'artifact-360-light',
    path: `artifacts/${RELEASE_CHECK}`,
    shows: 'as written',
    width: 360,
  },
];

/** Every page, with text that appears once it has loaded. */
const PAGES: readonly { name: string; path: string; shows: string }[] = [
  { name: 'home', path: '', shows: 'engineering' },
  { name: 'browse', path: 'browse/ops/release', shows: 'release-check' },
  { name: 'search', path: 'search?q=can+this+build+go+out', shows: 'by words' },
  { name: 'nothing-found', path: 'search?q=zzqx&type=hook', shows: 'Remove the filters' },
  { name: 'artifact', path: 'artifacts/ops/release/preflight', shows: 'Compare the changelog' },
  { name: 'hook', path: 'artifacts/engineering/git/block-secrets', shows: 'Can run' },
  { name: 'hidden', path: 'artifacts/ops/release/hidden', shows: 'Hidden characters' },
  {
    name: 'files',
    path: 'artifacts/ops/release/preflight?tab=files&file=scripts%2Fverify.sh',
    shows: 'checking',
  },
  {
    name: 'versions',
    path: 'artifacts/ops/release/preflight?tab=versions',
    shows: 'Changes from 2.1.0 to 2.3.1',
  },
  {
    name: 'harnesses',
    path: 'artifacts/engineering/git/block-secrets?tab=harnesses&harness=cursor',
    shows: 'entry in a shared file',
  },
  {
    name: 'provenance',
    path: 'artifacts/ops/release/preflight?tab=provenance',
    shows: 'This browser computed the same hash',
  },
  { name: 'missing-artifact', path: 'artifacts/ops/nothing', shows: 'There is no such artifact' },
  { name: 'layers', path: 'layers', shows: 'highest precedence first' },
  { name: 'layer', path: 'layers/platform', shows: 'layer added' },
  { name: 'add-layer', path: 'layers/new', shows: 'Who sees it' },
  { name: 'account', path: 'account', shows: 'Why you see what you see' },
  { name: 'not-found', path: 'no/such/page', shows: 'There is no such page' },
];

const DESKTOP = [1280, 800] as const;
const OTHER_SIZES = [
  [360, 740],
  [768, 1024],
  [1920, 1080],
] as const;

let server: RegistryServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await startWebRegistry();
  const { cert } = await createCertificateAuthority();
  browser = await startBrowser({ ca: cert, keep: true });
}, TIMEOUT.timeout);

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a page and records the violations that the console and the security policy report. */
async function open(
  width: number,
  height: number,
  colorScheme: 'light' | 'dark',
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium reports every response with an error status; the pages show these errors.
    if (!/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

async function show(
  page: Page,
  { path, shows }: { path: string; shows: string },
  url = server.url,
): Promise<void> {
  await page.goto(`${url}/app/${path}`);
  await page.getByText(shows).first().waitFor();
  await page.evaluate('document.fonts.ready');
  await page.waitForLoadState('networkidle');
}

async function draw(page: Page, name: string): Promise<void> {
  mkdirSync(DRAWN, { recursive: true });
  await page.screenshot({ path: join(DRAWN, `${name}.png`) });
}

type ShownPage = (typeof PAGES)[number];

async function checkLayout(page: Page, shown: ShownPage, drawing: string): Promise<void> {
  await show(page, shown);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, shown.name).toBeLessThanOrEqual(0);
  expect(await readLayoutShift(page), `${shown.name} moved`).toBeLessThan(MAX_LAYOUT_SHIFT);
  if (isWriting) await draw(page, `${shown.name}-${drawing}`);
}

// The theme only changes colors, so the other sizes use one theme.
test.each(OTHER_SIZES)(
  'every page fits %i pixels and does not shift',
  TIMEOUT,
  async (width, height) => {
    const { page, complaints } = await open(width, height, 'light');
    for (const shown of PAGES) await checkLayout(page, shown, `${width}-light`);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

describe.each(['light', 'dark'] as const)('web pages in %s', (theme) => {
  test.each(PAGES)(
    '$name fits, does not shift and has no serious accessibility problem',
    TIMEOUT,
    async (shown) => {
      const [width, height] = DESKTOP;
      const { page, complaints } = await open(width, height, theme);
      await checkLayout(page, shown, `${width}-${theme}`);
      expect(await findSeriousProblems(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});

/** Replaces local sources, which are temporary folders in tests, with repositories. */
async function showGitSources(route: Route): Promise<void> {
  const response = await route.fetch();
  const { layers } = await response.json();
  const toGit = (layer: { id: string }): object => ({
    ...layer,
    source_type: 'git',
    repo: `https://github.com/acme/${layer.id}-agents.git`,
    ref: 'main',
    local_path: '',
  });
  await route.fulfill({ response, json: { layers: layers.map(toGit) } });
}

test('every image of the guide fits its window', TIMEOUT, async () => {
  const team = await startTeamRegistry();
  for (const { name, width = 1280, ...shown } of IN_GUIDE) {
    const height = width === 360 ? 740 : 800;
    const { page } = await open(width, height, name.endsWith('dark') ? 'dark' : 'light');
    await page.route('**/v1/layers?*', showGitSources);
    await show(page, shown, team.url);
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, name).toBeLessThanOrEqual(0);
    if (isWriting) await page.screenshot({ path: join(GUIDE_IMAGES, `${name}.png`) });
    await page.context().close();
  }
});
