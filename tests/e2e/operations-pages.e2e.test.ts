import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FormBrowser } from '@catalog/testkit/form-browser';
import { signIn } from '@catalog/testkit/sign-in-place';
import { describe, expect, test } from 'vitest';
import { startOidcProvider, type OidcProviderServer } from '@catalog/testkit/oidc-provider-server';
import { getDeviceToken, getWorkloadToken } from '@catalog/testkit/provider-tokens';
import { WEB_CLIENT } from '@catalog/testkit/provider-users';
import { followPage, type Surroundings } from './follow-page.ts';
import { readAnchors, readFences, readLinks } from './guide-page.ts';
import { openStandardBackend } from './standard-backend.ts';

const BROWSER_REGISTRY = 'http://localhost:8082';

const AUDIENCE = 'https://catalog.example.com';
const WORKLOAD = 'repo:acme/app:ref:refs/heads/main';

async function openIdentitySurroundings(): Promise<
  Required<Pick<Surroundings, 'env' | 'shown'>> & { provider: OidcProviderServer }
> {
  const provider = await startOidcProvider({
    audience: AUDIENCE,
    redirect_uris: [`${BROWSER_REGISTRY}/v1/ui/auth/callback`],
    workloads: [WORKLOAD],
  });
  return {
    provider,
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CA_FILE: provider.ca_file,
      WEB_CLIENT_SECRET: WEB_CLIENT.secret,
      ALICE_TOKEN: await getDeviceToken(provider, 'alice'),
      TOKEN_FOR_ANOTHER: await getDeviceToken(provider, 'alice', 'https://other.example.com'),
      CI_TOKEN: await getWorkloadToken(provider, WORKLOAD),
    },
    shown: { [provider.issuer]: 'https://id.example.com' },
  };
}

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'docs/operations';
const pages = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

const IDENTITY = `${FOLDER}/identity.md`;

/** True if the page has commands without output, which the tests below do not run. */
function hasShellBlocks(page: string): boolean {
  const fences = readFences(readFileSync(join(ROOT, page), 'utf8'));
  return fences.some(({ language }) => language === 'sh' || language === 'sql');
}

const PAGE = { timeout: 120_000 };

describe('operations pages', () => {
  test(IDENTITY, PAGE, async () => {
    const { provider, ...surroundings } = await openIdentitySurroundings();
    await followPage(readFileSync(join(ROOT, IDENTITY), 'utf8'), IDENTITY, surroundings);
    // Commands cannot show this step: the user opens the page and signs in.
    const browser = new FormBrowser({ ca: provider.ca });
    expect(await signIn(browser, BROWSER_REGISTRY, provider, 'alice')).toMatchObject({
      url: `${BROWSER_REGISTRY}/app/`,
      status: 200,
    });
    const { text } = await browser.open(`${BROWSER_REGISTRY}/v1/ui/session`);
    expect(JSON.parse(text)).toMatchObject({ subject: 'alice', email: 'alice@example.com' });
  });

  test.each(pages.filter((page) => page !== IDENTITY))(
    'shows the actual output: %s',
    PAGE,
    async (page) => {
      const { env, owner, role } = await openStandardBackend();
      await followPage(readFileSync(join(ROOT, page), 'utf8'), page, {
        env: {
          DATABASE_URL: env['CATALOG_POSTGRES_DSN'] ?? '',
          DATABASE_OWNER_URL: owner['CATALOG_POSTGRES_MIGRATION_DSN'] ?? '',
          S3_ENDPOINT: env['CATALOG_S3_ENDPOINT'] ?? '',
          S3_BUCKET: env['CATALOG_S3_BUCKET'] ?? '',
          S3_PREFIX: env['CATALOG_S3_PREFIX'] ?? '',
          S3_ACCESS_KEY_ID: env['CATALOG_S3_ACCESS_KEY_ID'] ?? '',
          S3_SECRET_ACCESS_KEY: env['CATALOG_S3_SECRET_ACCESS_KEY'] ?? '',
        },
        shown: { [role]: 'catalog' },
      });
    },
  );

  test.each(pages)('has no broken links: %s', (page) => {
    const dead = readLinks(readFileSync(join(ROOT, page), 'utf8')).filter(({ path, anchor }) => {
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !readAnchors(readFileSync(file, 'utf8')).has(anchor);
    });
    expect(dead).toEqual([]);
  });

  test.each(pages)('does not pass the schema owner to the processes: %s', (page) => {
    const fences = readFences(readFileSync(join(ROOT, page), 'utf8'));
    const settings = fences.filter(({ language }) => language === 'yaml');
    expect(
      settings.flatMap(({ lines }) => lines.filter((line) => /migration_dsn/.test(line))),
    ).toEqual([]);
  });

  test.each(pages.filter(hasShellBlocks))('has a test that runs its commands: %s', (page) => {
    const walks = ['operations-walk', 'operations-access'].map((name) =>
      readFileSync(join(import.meta.dirname, `${name}.e2e.test.ts`), 'utf8'),
    );
    expect(walks.join('')).toContain(`openPage('${basename(page)}'`);
  });

  test('the index lists every page', () => {
    const index = readFileSync(join(ROOT, FOLDER, 'README.md'), 'utf8');
    const names = readdirSync(join(ROOT, FOLDER)).filter((name) => name !== 'README.md');
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });
});
