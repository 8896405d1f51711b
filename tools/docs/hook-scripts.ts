import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const HARNESS = 'packages/harness/src';
const PATH = `${HARNESS}/shim/hook-scripts.ts`;

/** Parts that every script is put together from. */
const SHARED = ['run-command', 'arguments', 'match-tools', 'select-tool', 'main'] as const;

/** Parts of products, which define `describe`, `applies` and `answer`. */
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

/** Whole scripts, in which a line `// <name>` is the place of a shared part. */
const WHOLE = { cline: 'hook-script', opencode: 'hook-plugin', pi: 'hook-extension' } as const;

const shared = new Map(
  SHARED.map((name) => [join(HARNESS, 'shim/scripts', `${name}.mjs`), name] as const),
);

const products = new Map(
  PRODUCTS.map((name) => [join(HARNESS, 'adapters', name, 'hook-shim.mjs'), name] as const),
);

/**
 * The module with the texts of hook scripts: packages may not read files, so the `.mjs` files are
 * copied here without types, imports of each other, and exports that only the checks need.
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

/** Text of a part. Other files that it imports take the place of the import; parts do not. */
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
