import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { followPage } from './follow-page.ts';
import { readAnchors, readLinks } from './guide-page.ts';
import { openStandardBackend } from './standard-backend.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'docs/operations';
const pages = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

/** A page may take a reader through dozens of commands. */
const PAGE = { timeout: 120_000 };

describe('what a page for operators shows is what happens', () => {
  test.each(pages)('%s', PAGE, async (page) => {
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
  });

  test.each(pages)('every link of %s leads somewhere', (page) => {
    const dead = readLinks(readFileSync(join(ROOT, page), 'utf8')).filter(({ path, anchor }) => {
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !readAnchors(readFileSync(file, 'utf8')).has(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('the index names every page', () => {
    const index = readFileSync(join(ROOT, FOLDER, 'README.md'), 'utf8');
    const names = readdirSync(join(ROOT, FOLDER)).filter((name) => name !== 'README.md');
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });
});
