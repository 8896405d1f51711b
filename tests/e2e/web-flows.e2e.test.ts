import { reorderLayers } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { popular } from '@catalog/contract/endpoints/usage';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import type { RegistryServer } from '@catalog/testkit/registry-server';
import { readLayoutShift } from '@catalog/testkit/web-pages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
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

/** Opens a page from the test itself, to record the HTTP coverage of the test. */
async function openPage(): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
}

function path(): string {
  return page.url().slice(`${server.url}/app`.length);
}

verifies('UI-04', 'domains are browsed with the keyboard alone', async () => {
  await openPage();
  await page.goto(`${server.url}/app/browse`);
  const tree = page.getByRole('treegrid', { name: 'Domains' });
  await tree.getByRole('row', { name: 'engineering' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await tree.getByRole('row', { name: 'release' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'ops' }).waitFor();
  expect(path()).toBe('/browse/ops');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^incident/ })
    .press('Enter');
  await page.getByRole('heading', { level: 1, name: 'incident' }).waitFor();
  await page.getByRole('link', { name: 'ops/incident/postmortem' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'triager' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'incident' }).waitFor();
});

verifies('UI-05', 'search finds as the user types and explains every match', async () => {
  await openPage();
  await page.goto(`${server.url}/app/`);
  await page.getByRole('heading', { name: 'Domains' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('can this build go out');
  const first = page.locator('[data-results] ol > li').first();
  await first.getByText(/^matched by meaning and 2 words: build, go$/).waitFor();
  await page.waitForURL(/\/search\?q=can\+this\+build\+go\+out$/);
  expect(await first.locator('mark').allTextContents()).toEqual(['build', 'go']);
  await page.getByText(/^by words and meaning, \d+ ms$/).waitFor();
  await page.getByRole('checkbox', { name: /^skill/ }).check();
  await page.waitForURL(/\?q=can\+this\+build\+go\+out&type=skill$/);
  await page.getByRole('button', { name: 'type skill , remove filter' }).waitFor();
  await page.reload();
  await page.getByRole('checkbox', { name: /^skill/, checked: true }).waitFor();
  await page.locator('#search').fill('can this build ship');
  await page.waitForURL(/\?q=can\+this\+build\+ship&type=skill$/);
  await page.locator('#search').fill('can this build go out');
  await page.waitForURL(/\?q=can\+this\+build\+go\+out&type=skill$/);
  await first.getByText(/^matched by meaning and 2 words: build, go$/).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'preflight' }).waitFor();
});

test('results stay until the next ones arrive, and fade if that takes long', TIMEOUT, async () => {
  await openPage();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/v1/search_artifacts?query=incident*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${server.url}/app/search?q=preflight`);
  const results = page.locator('[data-results]');
  await results.getByRole('link', { name: 'ops/release/preflight' }).waitFor();
  await page.locator('#search').fill('incident');
  await page.locator('[data-results=stale][aria-busy=true]').waitFor();
  expect(await results.getByRole('link', { name: 'ops/release/preflight' }).count()).toBe(1);
  release(undefined);
  await page.locator('[data-results=current][aria-busy=false]').waitFor();
  await results.getByRole('link', { name: 'ops/incident/triager' }).waitFor();
});

test('a result opens in a new tab with a modifier key', TIMEOUT, async () => {
  await openPage();
  await page.goto(`${server.url}/app/search?q=preflight`);
  const opened = page.context().waitForEvent('page');
  await page
    .getByRole('link', { name: 'ops/release/preflight' })
    .click({ modifiers: ['ControlOrMeta'] });
  await (await opened).waitForURL(/\/app\/artifacts\/ops\/release\/preflight$/);
  expect(path()).toBe('/search?q=preflight');
});

test('search reports that vector search is unavailable', TIMEOUT, async () => {
  await openPage();
  await page.route('**/v1/search_artifacts*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), degraded: true } });
  });
  await page.goto(`${server.url}/app/search?q=release`);
  await page.getByText('Search by meaning is unavailable').waitFor();
});

verifies(
  'UI-06',
  'an artifact shows its text, its executable content and its installation',
  async () => {
    await openPage();
    await page.goto(`${server.url}/app/artifacts/ops/release/preflight`);
    await page.getByRole('heading', { name: 'Steps' }).waitFor();
    await page.getByText('<!-- a comment stays visible -->').waitFor();
    await page.getByRole('img', { name: 'How a release flows' }).waitFor();
    const cap = page.locator('section', {
      has: page.getByRole('heading', { name: 'Can run' }),
    });
    await cap.getByText('scripts/verify.sh').waitFor();
    await cap.getByText('Bash(git log:*)').waitFor();
    await page.getByRole('button', { name: 'Cursor' }).click();
    const command = `catalog sync --include ops/release/preflight --harness cursor --registry ${server.url}`;
    expect(await page.getByRole('complementary').locator('code[tabindex]').textContent()).toBe(
      command,
    );
    // The page remembers the choice.
    await page.reload();
    await page.getByRole('button', { name: 'Cursor', pressed: true }).waitFor();
    await page.getByRole('link', { name: 'the checklist' }).click();
    await page.getByRole('heading', { name: 'references/checklist.md' }).waitFor();
    await page.getByRole('link', { name: /^versions/ }).click();
    await page.getByRole('radio', { name: 'Compare from 2.0.0' }).check();
    await page.getByRole('heading', { name: 'Changes from 2.0.0 to 2.3.1' }).waitFor();
    await page.getByText('Ask the release manager.').waitFor();
  },
);

test('an artifact has a link to the Markdown of the shown version', TIMEOUT, async () => {
  await openPage();
  const alternate = page.locator('head link[rel=alternate][type="text/markdown"]');
  for (const [version, text] of [
    ['', 'Compare the changelog'],
    ['2.0.0', 'Ask the release manager.'],
  ] as const) {
    const query = version === '' ? '' : `?version=${version}`;
    await page.goto(`${server.url}/app/artifacts/ops/release/preflight${query}`);
    await alternate.waitFor({ state: 'attached' });
    const href = await alternate.getAttribute('href');
    await page.getByRole('link', { name: 'View as Markdown' }).click();
    await page.waitForURL(/\/v1\/artifact\.md\?id=ops%2Frelease%2Fpreflight&version=/);
    expect(await page.locator('body').textContent()).toContain(text);
    expect(await (await fetch(new URL(href ?? '', server.url))).text()).toContain(text);
  }
  await page.goto(`${server.url}/app/artifacts/ops/release/preflight`);
  await alternate.waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Layers' }).click();
  await alternate.waitFor({ state: 'detached' });
});

test('an artifact can be read without scripts', TIMEOUT, async () => {
  const reader = await browser.newPage({ javaScriptEnabled: false });
  const response = await reader.goto(`${server.url}/app/artifacts/ops/release/preflight`);
  await reader.locator('noscript h1').waitFor();
  expect(await reader.locator('noscript main').textContent()).toContain('/v1/artifact.md?id=<id>');
  const [, path = ''] = /^<([^>]+)>; rel="alternate"/.exec(response?.headers()['link'] ?? '') ?? [];
  await reader.goto(`${server.url}${path}`);
  expect(await reader.locator('body').textContent()).toContain('Compare the changelog');
});

verifies('UI-07', 'layers show rejected artifacts, and are reordered by keyboard', async () => {
  await openPage();
  await page.goto(`${server.url}/app/layers`);
  await page.getByText('ops/broken/SKILL.md:3').waitFor();
  await page.getByText('Close it, or indent its continuation lines.').waitFor();
  const names = page.getByRole('grid', { name: 'Layers' }).locator('b');
  expect(await names.allTextContents()).toEqual(['platform', 'team']);
  await page.getByRole('button', { name: 'Move platform' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Insert between platform and team' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change the order of layers?' });
  await dialog.getByText('down 1').waitFor();
  await dialog.getByText('Every artifact stays the same for you.').waitFor();
  await dialog.getByRole('button', { name: 'Save the new order' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => names.allTextContents()).toEqual(['team', 'platform']);
  await server.call(reorderLayers, { body: { order: ['team', 'platform'] } });
});

test('layer pages do not shift if the session arrives last', TIMEOUT, async () => {
  const narrow = await browser.newPage({ viewport: { width: 360, height: 740 } });
  for (const [path, shows] of [
    ['layers/platform', 'Why you see it'],
    ['layers/new', 'Who sees it'],
  ] as const) {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    await narrow.route('**/v1/ui/session', async (route) => {
      await released;
      await route.continue();
    });
    await narrow.goto(`${server.url}/app/${path}`);
    await narrow.getByRole('heading', { level: 1 }).waitFor();
    await narrow.locator('[data-skeleton]').waitFor();
    release(undefined);
    await narrow.getByText(shows).first().waitFor();
    expect(await readLayoutShift(narrow), path).toBeLessThan(0.05);
    await narrow.unroute('**/v1/ui/session');
  }
});

test('a layer is added with a form, removed and restored', TIMEOUT, async () => {
  await openPage();
  await page.goto(`${server.url}/app/layers/new`);
  await page.getByRole('button', { name: 'Add the layer' }).click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('drafts');
  await page.getByRole('radio', { name: /^Folder on the server/ }).check();
  await page.getByRole('textbox', { name: 'Path' }).fill(server.folder);
  // Typed input survives a reload, as it survives a sign-in.
  await page.reload();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('drafts');
  await page.getByRole('textbox', { name: 'Path' }).fill(`${server.folder}/nowhere`);
  await page.getByRole('button', { name: 'Test the source' }).click();
  await page.getByText('Layer drafts: its directory does not exist.').waitFor();
  await page.getByRole('textbox', { name: 'Path' }).fill(server.folder);
  // The registry allows one test per second.
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Test the source' }).click();
        return page.getByText('The registry can read this source').isVisible();
      },
      { interval: 1500, timeout: 15_000 },
    )
    .toBe(true);
  await page.route('**/v1/layers', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    const json = { ...(await response.json()), restored_versions: 3 };
    return route.fulfill({ response, json });
  });
  await page.getByRole('button', { name: 'Add the layer' }).click();
  await page.getByRole('heading', { name: 'drafts was added' }).waitFor();
  await page.getByText('Exact pins load 3 versions of the removed layer again.').waitFor();
  await page.getByRole('link', { name: 'Watch the ingest' }).click();
  await page.getByText('layer added').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Remove drafts?' });
  await dialog.getByRole('button', { name: 'Remove the layer' }).click();
  await page.getByRole('button', { name: 'Restore drafts' }).click();
  await page.getByRole('row', { name: /^drafts/ }).waitFor();
});

test('filters combine, and each count is the total with that filter', TIMEOUT, async () => {
  await openPage();
  await page.goto(`${server.url}/app/search?q=release`);
  const untilTotal = (total: RegExp): Promise<void> =>
    page.getByRole('status').locator('b', { hasText: total }).waitFor();
  const countOf = async (label: RegExp): Promise<number> =>
    Number(
      await page
        .getByRole('group')
        .locator('label', { hasText: label })
        .locator('span')
        .last()
        .innerText(),
    );
  const box = (name: RegExp) => page.getByRole('checkbox', { name });
  await box(/^skill/).waitFor();
  const [skills, commands] = [await countOf(/^skill/), await countOf(/^command/)];
  await box(/^skill/).check();
  await untilTotal(new RegExp(`^${skills} results?$`));
  expect(await countOf(/^command/)).toBe(commands);
  await box(/^command/).check();
  await untilTotal(new RegExp(`^${skills + commands} results$`));
  expect(page.url()).toContain('type=skill%2Ccommand');
  await page.getByRole('button', { name: /^type skill/ }).click();
  await untilTotal(new RegExp(`^${commands} results?$`));
  await page.route('**/v1/search_artifacts*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const facets = { ...json.facets, estimated: true };
    await route.fulfill({ response, json: { ...json, facets, total_estimated: true } });
  });
  await page.reload();
  await untilTotal(new RegExp(`^${commands}\\+ results$`));
  await page.getByRole('group').getByText(`${skills}+`, { exact: true }).first().waitFor();
});

test(
  'home and browse show the same number, and a switch adds deprecated artifacts',
  TIMEOUT,
  async () => {
    await openPage();
    await page.goto(`${server.url}/app/`);
    const lead = await page.getByText(/^[\d,]+ artifacts in/).innerText();
    const [count = ''] = /^[\d,]+/.exec(lead) ?? [];
    await page.goto(`${server.url}/app/browse`);
    await page
      .getByText(new RegExp(`^${count} artifacts`))
      .first()
      .waitFor();
    await page.route('**/v1/catalog?*', (route) =>
      route.fulfill({
        json: { ids: ['ops/old'], artifacts: [{ id: 'ops/old', type: 'skill', summary: 'Old.' }] },
      }),
    );
    await page.getByRole('checkbox', { name: 'Show deprecated artifacts' }).check();
    await page.getByRole('heading', { name: 'Deprecated' }).waitFor();
    await page.getByRole('link', { name: 'ops/old' }).waitFor();
    expect(page.url()).toContain('deprecated=1');
  },
);

test('pages report that the registry does not respond, and recover', TIMEOUT, async () => {
  await openPage();
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto(`${server.url}/app/search?q=release`);
  await page.getByRole('heading', { name: 'The registry did not respond' }).waitFor();
  await page.getByText('What you see may be out of date.').waitFor();
  await page.unroute('**/v1/**');
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.locator('[data-results] ol > li').first().waitFor();
});

test(
  'a read-only registry shows the age of its content, and disables changes',
  TIMEOUT,
  async () => {
    await openPage();
    await page.route('**/v1/**', async (route) => {
      const response = await route.fetch();
      const headers = {
        ...response.headers(),
        'x-catalog-read-only': 'true',
        'x-catalog-read-only-lag-seconds': '7',
      };
      await route.fulfill({ response, headers });
    });
    await page.goto(`${server.url}/app/layers`);
    await page.getByText('What you see may be up to 7 seconds old').waitFor();
    expect(await page.getByRole('button', { name: 'Add a layer' }).isDisabled()).toBe(true);
  },
);

test('? lists the keyboard shortcuts, and the theme is remembered', TIMEOUT, async () => {
  await openPage();
  await page.goto(`${server.url}/app/`);
  await page.getByRole('heading', { name: 'Domains' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.reload();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
});

test('the home page lists popular artifacts, and the versions of each show its loads', async () => {
  await openPage();
  const id = 'ops/release/preflight';
  await server.call(loadArtifact, { query: { id } });
  await vi.waitFor(async () => {
    const { artifacts } = await server.call(popular, { query: {} });
    expect(artifacts.map((artifact) => artifact.id)).toContain(id);
  }, 20_000);
  await page.goto(`${server.url}/app/`);
  const heading = page.getByRole('heading', { level: 2, name: 'Popular' });
  const section = page.locator('section', { has: heading });
  await section.getByRole('link', { name: id }).click();
  await page.getByRole('heading', { level: 1, name: 'preflight' }).waitFor();
  await page.goto(`${server.url}/app/artifacts/${id}?tab=versions`);
  await page.getByText(/Loaded \d+ times? in 30 days\./).waitFor();
});
