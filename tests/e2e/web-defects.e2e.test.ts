import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { untilSettled } from '@catalog/testkit/web-pages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReadable } from './web-readable.ts';

const TIMEOUT = { timeout: 120_000 };
const PHONE = { width: 360, height: 740 };
const LONG = 'A sentence that repeats what the artifact is for. '.repeat(15);
const CODE = `npx run ${'--option=value '.repeat(20)}`;

const BASE = {
  'ops/deploy/check/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\ntags: [release]\n---\n',
  'ops/deploy/check/SKILL.md': `---
name: check
description: ${LONG}
---

Use [the old one](ops/deploy/old@1.0.0), or [the removed one](ops/hebrew).

\`\`\`bash
${CODE}
\`\`\`

| ${'Column | '.repeat(12)}
| ${'--- | '.repeat(12)}
| ${'a long value | '.repeat(12)}
`,
  'ops/deploy/old/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: The old way.\ndeprecated: true\nreplaced_by: ops/deploy/check\n---\nOld.\n',
  'ops/greet/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: Greet.\nlicense: MIT\ntags: [a-tag-that-is-long-enough-to-need-an-ellipsis-in-the-column]\n---\nSay hello.\n',
  'ops/hebrew/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: שלום לכולם\n---\nזהו טקסט.\n',
};

const TEAM = {
  'ops/greet/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: Greet the team.\nextends: ops/greet\n---\nSay hi.\n',
};

let server: RegistryServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await startRegistry({ keep: true, settings: { 'web_ui.enabled': true } });
  await server.ingest(BASE, { id: 'base' });
  await server.ingest(TEAM, { id: 'team' });
  browser = await startBrowser({ keep: true });
}, TIMEOUT.timeout);

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function open(path: string, options: object = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  await page.goto(`${server.url}/app/${path}`);
  await untilSettled(page);
  return page;
}

async function styleOf(page: Page, selector: string, property: string): Promise<string> {
  await page.locator(selector).first().waitFor({ state: 'attached' });
  const [element, name] = [selector, property].map((text) => JSON.stringify(text));
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector(${element})).getPropertyValue(${name})`,
  );
}

test('the page of a child shows its parents, and the layer of each field', TIMEOUT, async () => {
  const page = await open('artifacts/ops/greet?tab=provenance');
  const chain = page.getByRole('heading', { name: 'Extends' }).locator('..');
  await chain.getByText('from base').waitFor();
  expect(await chain.locator('dt:text-is("license") + dd').innerText()).toBe('base');
  expect(await chain.locator('dt:text-is("description")').count()).toBe(0);
  // The reference of the overlay to its own id does not count as a use.
  await page.getByRole('heading', { name: 'No other artifact uses this one' }).waitFor();
  expect(await page.getByText('Used by', { exact: true }).count()).toBe(1);
  await expectReadable(page, 'extends');
  await chain.getByRole('link', { name: 'ops/greet' }).click();
  await page.getByText('This is version 1.0.0 of the layer base.').waitFor();
  await page.getByText('Say hello.').waitFor();
});

test('two layers with the same version are compared', TIMEOUT, async () => {
  const page = await open('artifacts/ops/greet?tab=versions');
  await page.getByRole('heading', { name: 'Changes from 1.0.0 (base) to 1.0.0 (team)' }).waitFor();
  await page.locator('tr[data-kind=added]', { hasText: 'Say hi.' }).waitFor();
  await page.locator('tr[data-kind=removed]', { hasText: 'Say hello.' }).waitFor();
  await page.getByRole('radio', { name: 'Compare to 1.0.0 (base)' }).check();
  await page.getByRole('heading', { name: 'Changes from 1.0.0 (base) to 1.0.0 (base)' }).waitFor();
  // On a phone, each version is a block with labels.
  await page.setViewportSize(PHONE);
  expect(await styleOf(page, 'main table td', 'display')).toBe('grid');
  await expectReadable(page, 'versions-of-two-layers');
});

test('the install box scrolls, names the support and confirms the copy', TIMEOUT, async () => {
  const page = await open('artifacts/ops/greet');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const command = page.getByRole('complementary').locator('code[tabindex]').first();
  expect(await styleOf(page, 'aside code[tabindex]', 'white-space-collapse')).toBe('preserve');
  const [wide, high] = await command.evaluate((code) => [
    code.scrollWidth > code.clientWidth,
    code.getClientRects().length,
  ]);
  expect([wide, high]).toEqual([true, 1]);
  await page.getByRole('status').filter({ hasText: 'as written' }).waitFor();
  await page.getByRole('button', { name: 'Copy the install command' }).click();
  const status = page.getByRole('complementary').getByRole('status').filter({ hasText: 'Copied' });
  await status.waitFor();
  expect(await status.isVisible()).toBe(true);
  await status.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await status.waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('--include ops/greet');
  await expectReadable(page, 'install');
  await page.goto(`${server.url}/app/artifacts/ops/greet?version=1.0.0&layer=base`);
  await page.getByText('This installs the latest version, not 1.0.0.').waitFor();
  await page.getByText('catalog show ops/greet@1.0.0').waitFor();
});

test('text, tables and code have the expected widths and order', TIMEOUT, async () => {
  const page = await open('artifacts/ops/deploy/check', { viewport: { width: 1920, height: 900 } });
  const widthOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())?.width ?? 0;
  const column = await widthOf('main div:has(> nav[aria-label=Artifact])');
  expect(await widthOf('[data-prose] > [role=group]')).toBeGreaterThan(column - 2);
  expect(await widthOf('[data-prose] > :has(> pre)')).toBeGreaterThan(column - 2);
  expect(await widthOf('[data-prose] > p')).toBeLessThan(column - 100);
  await page.locator('[data-prose]').getByRole('button', { name: 'Copy the code' }).waitFor();
  // A link by id leads to the page of the artifact, unless the caller can see none.
  const link = page.locator('[data-prose]').getByRole('link', { name: 'the old one' });
  expect(await link.getAttribute('href')).toBe('/app/artifacts/ops/deploy/old');
  await page.locator('[data-prose]').getByRole('link', { name: 'the removed one' }).waitFor();
  await page.route('**/v1/artifacts/versions?id=ops%2Fhebrew', (route) =>
    route.fulfill({
      status: 404,
      json: {
        code: 'registry.not_found',
        message: 'The artifact or version does not exist.',
        details: {},
        retryable: false,
        suggested_action: 'Search for it.',
      },
    }),
  );
  await page.reload();
  await page.locator('[data-prose]').getByTitle('There is no artifact ops/hebrew').waitFor();
  // The focus goes through the text before the right column.
  const order = await page.evaluate<boolean>(
    `!!(document.querySelector('nav[aria-label=Artifact]').compareDocumentPosition(document.querySelector('aside')) & Node.DOCUMENT_POSITION_FOLLOWING)`,
  );
  expect(order).toBe(true);
  await page.setViewportSize(PHONE);
  const topOf = async (name: string): Promise<number> =>
    (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? NaN;
  await page.getByRole('complementary', { name: 'Facts' }).waitFor();
  const text = (await page.locator('[data-prose]').boundingBox())?.y ?? NaN;
  expect(await topOf('Install')).toBeLessThan(text);
  expect(await topOf('Facts')).toBeGreaterThan(text);
  const tabs = await page
    .getByRole('navigation', { name: 'Artifact' })
    .getByRole('link')
    .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
  expect(Math.max(...tabs)).toBeLessThanOrEqual(PHONE.width);
  await expectReadable(page, 'text-with-table');
  await page.goto(`${server.url}/app/browse/ops/deploy`);
  const clamped = page.locator('main li p[dir=auto]').first();
  await clamped.waitFor();
  expect(await clamped.evaluate((p) => p.scrollHeight > p.clientHeight)).toBe(true);
  await page.goto(`${server.url}/app/artifacts/ops/greet?version=1.0.0&layer=base`);
  expect(await styleOf(page, 'ul[aria-label=Tags] a', 'white-space')).toBe('nowrap');
  await page.goto(`${server.url}/app/artifacts/ops/greet`);
  expect(await styleOf(page, 'aside dd > span + span', 'white-space')).toBe('nowrap');
});

test('a deprecated artifact shows its successor once', TIMEOUT, async () => {
  const page = await open('artifacts/ops/deploy/old');
  const notice = page.locator('main [data-kind=warn]');
  expect((await notice.innerText()).match(/Use/g)).toEqual(['Use']);
  await notice.getByRole('link', { name: 'ops/deploy/check' }).waitFor();
});

test('text has the direction of its language', TIMEOUT, async () => {
  const page = await open('artifacts/ops/hebrew');
  expect(await styleOf(page, 'main header p[dir=auto]', 'direction')).toBe('rtl');
  expect(await styleOf(page, '[data-prose] p', 'direction')).toBe('rtl');
  expect(await styleOf(page, 'h1', 'direction')).toBe('ltr');
  await expectReadable(page, 'right-to-left');
});

test(
  'an error appears inside the page, without backticks, and disappears after the outage',
  TIMEOUT,
  async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    // A proxy responds for a registry that is unavailable.
    await page.route('**/v1/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await page.goto(`${server.url}/app/artifacts/ops/greet`);
    const error = page.locator('main > div [role=alert]');
    await error.waitFor({ timeout: 15_000 });
    await page.getByText('What you see may be out of date.').waitFor();
    await page.unroute('**/v1/**');
    await page.getByText('Say hi.').waitFor({ timeout: 15_000 });
    expect(await error.count()).toBe(0);
    await page.route('**/v1/load_domain*', (route) =>
      route.fulfill({
        status: 400,
        json: {
          code: 'registry.invalid_argument',
          message: 'The argument `path` is not valid.',
          details: {},
          retryable: false,
          suggested_action: 'Change `path`.',
        },
      }),
    );
    await page.goto(`${server.url}/app/browse/ops/greet`);
    await error
      .locator('code', { hasText: /^path$/ })
      .first()
      .waitFor();
    expect(await error.innerText()).not.toContain('`');
  },
);

test('a submitted search stays in the history, and phones show the query', TIMEOUT, async () => {
  const page = await open('search', { viewport: PHONE });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const field = page.getByRole('searchbox', { name: 'Search artifacts' });
  await field.fill('greet');
  await field.press('Enter');
  const shown = page.getByRole('heading', { name: 'Search: greet' });
  await shown.waitFor();
  expect((await shown.boundingBox())?.height).toBeGreaterThan(10);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await field.fill('old');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Search: old' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Search: greet' }).waitFor();
  await expectReadable(page, 'search-on-phone');
});

test('an anonymous caller can sign in if content may be hidden', TIMEOUT, async () => {
  const page = await browser.newPage();
  await page.route('**/v1/ui/session', async (route) => {
    const response = await route.fetch();
    const browser_auth = { enabled: true, sign_in_path: '/v1/ui/auth/sign-in' };
    await route.fulfill({ response, json: { ...(await response.json()), browser_auth } });
  });
  for (const path of ['artifacts/ops/hidden', 'browse/hidden', 'layers/hidden']) {
    await page.goto(`${server.url}/app/${path}`);
    await page.getByRole('main').getByRole('link', { name: 'sign in' }).waitFor();
  }
});

test('forced colors mark the selection, and print hides the controls', TIMEOUT, async () => {
  const page = await open('artifacts/ops/greet');
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await styleOf(page, 'nav[aria-label=Artifact] [aria-current]', 'outline-style')).toBe(
    'solid',
  );
  expect(await styleOf(page, 'main [aria-pressed=true]', 'outline-style')).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none', media: 'print' });
  const copyButton = 'main span:has(> [role=status])';
  for (const hidden of ['#root > header', 'nav[aria-label=Artifact]', copyButton]) {
    expect(await styleOf(page, hidden, 'display'), hidden).toBe('none');
  }
  expect(await styleOf(page, '[data-prose]', 'display')).toBe('block');
});

test('list separators are consistent', TIMEOUT, async () => {
  const page = await open('browse/ops');
  const meta = page.locator('main p', {
    has: page.getByRole('link', { name: 'Search this domain' }),
  });
  expect(await meta.innerText()).not.toContain('·');
  await page.goto(`${server.url}/app/account`);
  await page.locator('main section li').first().waitFor();
  const borders = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main section li')].map((item) => {
      const { borderTopWidth, borderBottomWidth } = getComputedStyle(item);
      return [borderTopWidth, borderBottomWidth].join();
    })`,
  );
  expect(new Set(borders)).toEqual(new Set(['1px,0px']));
});

test('pages work with 200 % and 400 % zoom', TIMEOUT, async () => {
  // A browser zooms by reducing the size of the window in CSS pixels.
  for (const width of [640, 320]) {
    const page = await open('artifacts/ops/deploy/check', { viewport: { width, height: 400 } });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(overflow), `${width}`).toBeLessThanOrEqual(0);
    await page.goto(`${server.url}/app/layers`);
    await page.getByText('highest precedence first').waitFor();
    expect(await page.evaluate<number>(overflow), `${width}`).toBeLessThanOrEqual(0);
  }
});

const MAX_REQUESTS = 16;

test.each(['', 'browse/ops', 'search?q=greet', 'artifacts/ops/greet', 'layers', 'account'])(
  'a first visit to the page "%s" needs few requests',
  TIMEOUT,
  async (path) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${server.url}/app/${path}`);
    await untilSettled(page);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(MAX_REQUESTS);
  },
);
