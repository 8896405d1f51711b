import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const HARNESS = 'packages/harness/src';
const PATH = `${HARNESS}/shim/hook-scripts.ts`;

const SHARED = ['run-command', 'arguments', 'match-tools', 'select-tool', 'main'] as const;

/** Parts of a product's script, which define `describe`, `applies` and `answer`. */
const PRODUCTS = [
  'antigravity',
  'claude-code',
  'codex',
  'copilot',
  'cursor',
  'devin',
  'droid',
  'gemini-cli',
  'hermes',
  'kiro',
  'qwen',
] as const;

/** Complete scripts. A line `// <name>` is replaced with the shared part. */
const WHOLE = { cline: 'hook-script', opencode: 'hook-plugin', pi: 'hook-extension' } as const;

const shared = new Map(
  SHARED.map((name) => [join(HARNESS, 'shim/scripts', `${name}.mjs`), name] as const),
);

const products = new Map(
  PRODUCTS.map((name) => [join(HARNESS, 'adapters', name, 'hook-shim.mjs'), name] as const),
);

/**
 * Packages may not read files, so the sources are in a module. Removes types, imports between parts,
 * and exports that only the checks need.
 */
export function hookScripts(root: string): { path: string; present: string; wanted: string } {
  const part = (path: string): string => readPart(root, path).replaceAll(/^export /gm, '');
  const whole = Object.entries(WHOLE).map(([id, file]) => [
    id,
    readPart(root, join(HARNESS, 'adapters', id, `${file}.mjs`), 'marked'),
  ]);
  const wanted = `// Written by \`./dev docs\` from the .mjs files of packages/harness. Do not edit.

/** Parts of the script of every product. */
export const SHARED_PARTS = ${tableOf([...shared].map(([path, name]) => [name, part(path)]))}

/** Parts that differ by product. */
export const PRODUCT_PARTS = ${tableOf([...products].map(([path, id]) => [id, part(path)]))}

/** Scripts of their own form, with marks at the place of shared parts. */
export const WHOLE_SCRIPTS = ${tableOf(whole)}
`;
  return { path: PATH, present: readPresent(join(root, PATH)), wanted };
}

function tableOf(texts: readonly (readonly string[])[]): string {
  const members = texts.map(([name, text]) => `  '${name}': ${JSON.stringify(text)},\n`);
  return `{\n${members.join('')}} as const;`;
}

function readPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const FOR_CHECKS =
  /^ *\/\*\*\n(?: \*.*\n)* \* @(?:.*\n)*? \*\/\n|^\/\*\* @.*\n|^ *\/\/ (?:prettier-ignore|@ts-expect-error.*)\n|^export \{ \w+ \};\n/gm;

/** Inlines other imported files and removes imports of other parts. */
function readPart(root: string, path: string, imports: 'removed' | 'marked' = 'removed'): string {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(FOR_CHECKS, '');
  const inlined = text.replaceAll(
    /^(?:import|export) \{.*\} from '(\.[^']+)';\n/gm,
    (_line, from: string) => {
      const imported = join(dirname(path), from);
      if (!shared.has(imported) && !products.has(imported)) return readPart(root, imported);
      return imports === 'marked' ? `// <${basename(imported, '.mjs')}>\n` : '';
    },
  );
  return inlined.replace(/^\n+/, '');
}
