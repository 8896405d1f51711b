import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');

function readAll(pattern: string): Map<string, string> {
  const files = globSync(pattern, { cwd: SOURCE });
  return new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]));
}

function listSelectors(css: string): string[] {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g);
  const selectors = [...rules].map(([, selector = '']) => selector.trim());
  return selectors.filter((selector) => !/^(?:@|to$|from$|\d+%$)/.test(selector));
}

/** Returns the class names of a style sheet, without those of libraries in `:global()`. */
function listClasses(css: string): Set<string> {
  const selectors = listSelectors(css).join(' ');
  const own = selectors.replaceAll(/:global\([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return new Set([...own.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name));
}

const MODULES = readAll('**/*.module.css');
const COMPONENTS = readAll('**/*.{ts,tsx}');

const IMPORT = /^import \* as (\w+) from '([^']+\.module\.css)';$/gm;

function listUses(): Map<string, Set<string>> {
  const uses = new Map([...MODULES.keys()].map((file) => [file, new Set<string>()]));
  for (const [file, code] of COMPONENTS) {
    for (const [, binding = '', path = ''] of code.matchAll(IMPORT)) {
      const names = code.matchAll(new RegExp(`\\b${binding}\\.(\\w+)`, 'g'));
      const used = uses.get(relative(SOURCE, join(SOURCE, dirname(file), path)));
      for (const [, name = ''] of names) used?.add(name);
    }
  }
  return uses;
}

test('components use every class of their modules and no other class', () => {
  for (const [file, used] of listUses()) {
    expect([...used].toSorted(), file).toEqual(
      [...listClasses(MODULES.get(file) ?? '')].toSorted(),
    );
  }
});

test('every selector of a module contains a class', () => {
  for (const [file, css] of MODULES) {
    const parts = listSelectors(css).flatMap((selector) => selector.split(/,(?![^(]*\))/));
    expect(
      parts.filter((part) => !/\.[a-z]/.test(part)),
      file,
    ).toEqual([]);
  }
});

test('components have no literal class names', () => {
  const literal = /className=(?:"|\{["'`])/;
  const found = [...COMPONENTS].filter(([, code]) => literal.test(code));
  expect(found.map(([file]) => file)).toEqual([]);
});

test('components import their own styles last, after those of the components they use', () => {
  const late = /^import \* as styles from '[^']+';\n(?=import (?!type ))/m;
  const found = [...COMPONENTS].filter(([, code]) => late.test(code));
  expect(found.map(([file]) => file)).toEqual([]);
});
