import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerLayer } from '@catalog/contract/endpoints/layers';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReadable } from './web-readable.ts';

const TIMEOUT = { timeout: 120_000 };
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: Tidy up.\n---\nTidy.\n';

let server: RegistryServer;
let browser: TestBrowser;
let host: GitServer;
let repositories: string;

beforeAll(async () => {
  repositories = mkdtempSync(join(tmpdir(), 'catalog-web-layers-'));
  host = await startGitServer(repositories);
  server = await startRegistry({
    keep: true,
    settings: {
      ...TRUSTED_HEADERS,
      'web_ui.enabled': true,
      'egress.allowed_hosts': ['127.0.0.1'],
      bootstrap_admins: ['root'],
    },
  });
  browser = await startBrowser({ keep: true });
}, TIMEOUT.timeout);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await host?.close();
  await rm(repositories, { recursive: true, force: true });
});

/** Opens a page as a user, with the headers of the proxy in front of the registry. */
function openAs(subject: string): Promise<Page> {
  return browser.newPage({ extraHTTPHeaders: asCaller({ subject }) });
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}/app/${path}`);
}

test('a page that opens after an ingest shows the artifacts of the layer', TIMEOUT, async () => {
  await server.as(asCaller({ subject: 'root' })).ingest(
    { 'ops/tidy/ARTIFACT.md': RULE },
    {
      id: 'late',
      organization: true,
    },
  );
  const page = await openAs('root');
  let reads = 0;
  // Makes the first response as old as one that was cached before the ingest.
  await page.route('**/v1/layers?details=true', async (route) => {
    const response = await route.fetch();
    reads += 1;
    const { layers } = await response.json();
    const older = layers.map((layer: object) => ({
      ...layer,
      last_ingested_at: undefined,
      artifact_count: 0,
    }));
    await route.fulfill({ response, json: { layers: reads === 1 ? older : layers } });
  });
  await goTo(page, 'layers/late');
  const count = page.locator('dt:text-is("Artifacts") + dd');
  await expect.poll(() => count.innerText()).toBe('1');
  expect(reads).toBe(2);
});

test('a user who is not an administrator adds a private layer', TIMEOUT, async () => {
  const repository = host.addRepository('zoe.git');
  repository.commit({ 'ops/mine/ARTIFACT.md': RULE });
  const page = await openAs('zoe');
  await goTo(page, '');
  await page.getByRole('heading', { name: 'Catalog', exact: true }).waitFor();
  await goTo(page, 'layers/new');
  const audiences = page.getByRole('group', { name: 'Who sees it' }).getByRole('radio');
  await audiences.first().waitFor();
  expect(await audiences.first().getAttribute('value')).toBe('me');
  expect(await audiences.first().isChecked()).toBe(true);
  expect(await page.getByRole('radio', { name: /^Organization/ }).isDisabled()).toBe(true);
  expect(await page.getByRole('radio', { name: /^Folder on the server/ }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Name' }).fill('mine');
  await page.getByRole('textbox', { name: 'Repository' }).fill(repository.url);
  await expectReadable(page, 'add-layer-as-user');
  await page.getByRole('button', { name: 'Add the layer' }).click();
  await page.getByRole('link', { name: 'Watch the ingest' }).click();
  await page.getByText('only zoe').waitFor();
  const count = page.locator('dt:text-is("Artifacts") + dd');
  await expect.poll(() => count.innerText(), { timeout: 15_000 }).toBe('1');
});

test('a source test shows the reason to the user who can fix it', TIMEOUT, async () => {
  const page = await openAs('zoe');
  await goTo(page, 'layers/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('absent');
  const missing = host.addRepository('kept.git').url.replace('kept', 'absent');
  await page.getByRole('textbox', { name: 'Repository' }).fill(missing);
  await page.getByRole('button', { name: 'Test the source' }).click();
  const problem = page.getByRole('alert');
  await problem.getByText('no repository exists at its URL').waitFor();
  // The action contains a field in backticks, which the page renders as code.
  await problem.locator('code', { hasText: /^repo$/ }).waitFor();
  expect(await problem.innerText()).not.toContain('`');
});

test(
  'a home page without visible artifacts suggests the next step, even with domains',
  TIMEOUT,
  async () => {
    const empty = await startRegistry({ settings: { ...TRUSTED_HEADERS, 'web_ui.enabled': true } });
    const page = await openAs('zoe');
    await page.goto(`${empty.url}/app/`);
    await page.getByRole('heading', { name: 'No artifacts are visible to you' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Add a layer' }).waitFor();
    await page.route('**/v1/load_domain?*', (route) =>
      route.fulfill({
        json: {
          path: '',
          description: '',
          keywords: [],
          subdomains: [{ path: 'ops', name: 'ops', description: 'Operations', recursive_count: 0 }],
          notable: [],
          artifact_count: 0,
          recursive_count: 0,
        },
      }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'ops' }).waitFor();
    await page.getByRole('heading', { name: 'No artifacts are visible to you' }).waitFor();
    await expectReadable(page, 'home-without-artifacts');
  },
);

test('an administrator edits the source and the visibility of a layer', TIMEOUT, async () => {
  const repository = host.addRepository('edited.git');
  const first = repository.commit({ 'ops/first/ARTIFACT.md': RULE });
  repository.commit({ 'ops/next/ARTIFACT.md': RULE }, { branch: 'next', parents: [first] });
  const moved = host.addRepository('moved.git');
  moved.commit({ 'ops/moved/ARTIFACT.md': RULE });
  const root = server.as(asCaller({ subject: 'root' }));
  for (const id of ['edited', 'above']) {
    await root.call(registerLayer, {
      body: { id, source_type: 'git', repo: repository.url, organization: true },
    });
  }
  const page = await openAs('root');
  await goTo(page, 'layers/edited');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('heading', { name: 'Edit edited' }).waitFor();
  await page.getByRole('textbox', { name: 'Branch or tag' }).fill('next');
  await page.getByRole('radio', { name: /^Groups/ }).check();
  await page.getByRole('textbox', { name: 'Groups' }).fill('payments');
  await expectReadable(page, 'edit-layer');
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.getByText('group payments').waitFor();
  await page.getByText('edited@next').waitFor();
  await page.getByText('layer changed').first().waitFor();

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Repository' }).fill(moved.url);
  await page.getByRole('textbox', { name: 'Branch or tag' }).fill('');
  await page.getByRole('heading', { name: 'This registers the layer again' }).waitFor();
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.getByRole('heading', { name: 'edited was registered again' }).waitFor();
  await page.getByRole('heading', { name: 'Secret' }).waitFor();
  await page.getByRole('link', { name: 'Watch the ingest' }).click();
  await page.getByText('group payments').waitFor();
  await page.getByText('moved').first().waitFor();
  await goTo(page, 'layers');
  // The order is unchanged: `above` was registered later.
  const rows = page.getByRole('grid', { name: 'Layers' }).getByRole('row');
  await rows.first().waitFor();
  const names = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-key')));
  expect(names.indexOf('above')).toBeLessThan(names.indexOf('edited'));
});

test('problems of a layer are listed once, with links', TIMEOUT, async () => {
  const root = server.as(asCaller({ subject: 'root' }));
  const layer = { id: 'problems', organization: true };
  const broken = '---\nname: broken\ndescription: [unclosed\n---\nText.\n';
  const changed = RULE.replace('Tidy.', 'Changed.');
  await root.ingest({ 'ops/kept/ARTIFACT.md': RULE, 'ops/broken/SKILL.md': broken }, layer);
  await root.ingest({ 'ops/kept/ARTIFACT.md': changed, 'ops/broken/SKILL.md': broken }, layer);
  const page = await openAs('root');
  await goTo(page, 'layers/problems');
  await page.getByText('ops/broken/SKILL.md').first().waitFor();
  expect(await page.getByText('ops/broken/SKILL.md').count()).toBe(1);
  expect(await page.getByText('rejected').count()).toBeGreaterThan(1);
  await page.getByRole('link', { name: 'ops/kept' }).click();
  await page.getByText('1 version, newest first').waitFor();

  await page.route('**/v1/layers?details=true', async (route) => {
    const response = await route.fetch();
    const { layers } = await response.json();
    const source = { source_type: 'git', git_provider: 'git-host-a', root: 'agents' };
    const repo = 'https://git.example.com/acme/skills.git';
    await route.fulfill({
      response,
      json: { layers: layers.map((one: object) => ({ ...one, ...source, repo })) },
    });
  });
  await page.route('**/v1/layers/ingests?*', async (route) => {
    const response = await route.fetch();
    const { ingests } = await response.json();
    const at = (job: { report: object }) => ({
      ...job,
      report: { ...job.report, reference: 'c0ffee' },
    });
    await route.fulfill({ response, json: { ingests: ingests.map(at) } });
  });
  await goTo(page, 'layers/problems');
  const link = page.getByRole('link', { name: 'ops/broken/SKILL.md' });
  expect(await link.getAttribute('href')).toMatch(
    /^https:\/\/git\.example\.com\/acme\/skills\/blob\/c0ffee\/agents\/ops\/broken\/SKILL\.md/,
  );
  await expectReadable(page, 'layer-with-problems');
});
