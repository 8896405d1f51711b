import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandsPage } from './docs/commands-page.ts';
import { configPage } from './docs/config-page.ts';
import { errorsPage } from './docs/errors-page.ts';
import { frontmatterPage } from './docs/frontmatter-page.ts';
import { harnessesPage } from './docs/harnesses-page.ts';
import { lintPage } from './docs/lint-page.ts';

const FOLDER = join(import.meta.dirname, '../docs/reference');

/** Every page of the reference. The folder holds these and nothing else. */
const pages: Readonly<Record<string, () => string>> = {
  'commands.md': commandsPage,
  'config.md': configPage,
  'errors.md': errorsPage,
  'frontmatter.md': frontmatterPage,
  'harnesses.md': harnessesPage,
  'lint.md': lintPage,
};

/** `./dev docs` writes the reference; `--check` only says whether it is current. */
function main(): number {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  mkdirSync(FOLDER, { recursive: true });
  const present = new Map(
    readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
  );
  const wanted = new Map(Object.entries(pages).map(([name, render]) => [name, render()]));
  const stale = [...new Set([...present.keys(), ...wanted.keys()])]
    .filter((name) => present.get(name) !== wanted.get(name))
    .sort();
  if (values.check) {
    for (const name of stale) process.stderr.write(`docs/reference/${name} is not current\n`);
    if (stale.length > 0) process.stderr.write('Run ./dev docs and look at the difference.\n');
    return stale.length > 0 ? 1 : 0;
  }
  for (const name of stale) {
    const text = wanted.get(name);
    if (text === undefined) rmSync(join(FOLDER, name));
    else writeFileSync(join(FOLDER, name), text);
    process.stdout.write(`${text === undefined ? 'removed' : 'wrote'} docs/reference/${name}\n`);
  }
  return 0;
}

process.exitCode = main();
