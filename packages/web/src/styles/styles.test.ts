import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');

function readAll(pattern: string): Map<string, string> {
  const files = globSync(pattern, { cwd: SOURCE });
  return new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]));
}

/** The selectors of a style sheet, without those of key frames. */
function listSelectors(css: string): string[] {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g);
  const selectors = [...rules].map(([, selector = '']) => selector.trim());
  return selectors.filter((selector) => !/^(?:@|to$|from$|\d+%$)/.test(selector));
}

/** The class names that a module defines. Names of libraries are in `:global()`. */
function listClasses(css: string): Set<string> {
  const selectors = listSelectors(css).join(' ');
  const own = selectors.replaceAll(/:global\([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return new Set([...own.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name));
}

const MODULES = readAll('**/*.module.css');
const COMPONENTS = readAll('**/*.{ts,tsx}');

const IMPORT = /^import \* as (\w+) from '([^']+\.module\.css)';$/gm;

/** The class names of each module that components use. */
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

test('components use every class of a module, and no other', () => {
  for (const [file, used] of listUses()) {
    expect([...used].toSorted(), file).toEqual(
      [...listClasses(MODULES.get(file) ?? '')].toSorted(),
    );
  }
});

test('every rule of a module applies to a class', () => {
  for (const [file, css] of MODULES) {
    const parts = listSelectors(css).flatMap((selector) => selector.split(/,(?![^(]*\))/));
    expect(
      parts.filter((part) => !/\.[a-z]/.test(part)),
      file,
    ).toEqual([]);
  }
});

test('components have no class names of their own', () => {
  const literal = /className=(?:"|\{["'`])/;
  const found = [...COMPONENTS].filter(([, code]) => literal.test(code));
  expect(found.map(([file]) => file)).toEqual([]);
});

test('the rules of a component follow those of the components that it uses', () => {
  const late = /^import \* as styles from '[^']+';\n(?=import (?!type ))/m;
  const found = [...COMPONENTS].filter(([, code]) => late.test(code));
  expect(found.map(([file]) => file)).toEqual([]);
});
