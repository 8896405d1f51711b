import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pages } from './docs/pages.ts';

const FOLDER = join(import.meta.dirname, '../docs/reference');

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
