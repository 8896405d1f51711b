import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chartSchema } from './docs/chart-schema.ts';
import { harnessGuidePages } from './docs/guide-pages.ts';
import { hookScripts } from './docs/hook-scripts.ts';
import { memoryPicture } from './docs/memory-picture.ts';
import { outagesPage } from './docs/outages-page.ts';
import { pages } from './docs/pages.ts';
import { versionsPage } from './docs/version-table.ts';
import { upgradePage } from './docs/upgrade-page.ts';

const FOLDER = join(import.meta.dirname, '../docs/reference');

const ROOT = join(import.meta.dirname, '..');

/**
 * Generates the reference, parts of other pages, the values schema of the chart, and the module with hook scripts.
 * `--check` only reports outdated files.
 */
function main(): number {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const stalePages = [
    ...harnessGuidePages(ROOT),
    versionsPage(ROOT),
    outagesPage(ROOT),
    memoryPicture(ROOT),
    upgradePage(ROOT),
    chartSchema(ROOT),
    hookScripts(ROOT),
  ].filter(({ present, wanted }) => present !== wanted);
  mkdirSync(FOLDER, { recursive: true });
  const present = new Map(
    readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
  );
  const wanted = new Map(Object.entries(pages).map(([name, render]) => [name, render()]));
  const stale = [...new Set([...present.keys(), ...wanted.keys()])]
    .filter((name) => present.get(name) !== wanted.get(name))
    .sort();
  if (values.check) {
    const paths = [
      ...stale.map((name) => `docs/reference/${name}`),
      ...stalePages.map(({ path }) => path),
    ];
    for (const path of paths) process.stderr.write(`${path} is not current\n`);
    if (paths.length > 0) process.stderr.write('Run ./dev docs and look at the difference.\n');
    return paths.length > 0 ? 1 : 0;
  }
  for (const name of stale) {
    const text = wanted.get(name);
    if (text === undefined) rmSync(join(FOLDER, name));
    else writeFileSync(join(FOLDER, name), text);
    process.stdout.write(`${text === undefined ? 'removed' : 'wrote'} docs/reference/${name}\n`);
  }
  for (const { path, wanted } of stalePages) {
    writeFileSync(join(ROOT, path), wanted);
    process.stdout.write(`wrote ${path}\n`);
  }
  return 0;
}

process.exitCode = main();
