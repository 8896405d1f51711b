import type { FileOperation } from '../adapter.ts';
import type { HookShim } from '../landing.ts';
import { writeText } from '../place/write-files.ts';
import { quoteUnexpanded, quoteWord } from './shell-quote.ts';
import type { ShimProduct } from './shim-product.ts';
import { ENCODED, shimScript } from './shim-script.ts';

/**
 * Returns the command of a hook. `home`: the workspace is the home folder, and the product runs the hook in any folder.
 */
export function commandShim(
  product: ShimProduct,
  at: 'workspace' | 'home' = 'workspace',
): HookShim {
  const path = `.catalog/hooks/${product.id}.mjs`;
  const start = at === 'home' ? startAtHome(product, path) : startInWorkspace(product, path);
  const file: FileOperation = { ...writeText(path, shimScript(product)), shared: true };
  const shim: HookShim = ({ artifact, event, command, timeout, plugin_root, matcher = '' }) => {
    const words = [event, artifact.id, command, timeout?.toString() ?? '', matcher];
    while (words.at(-1) === '') words.pop();
    const from = plugin_root === undefined ? start : `node "${plugin_root}"/${path}`;
    const quoted = words.map((word) => quote(product, word));
    return {
      command: [from, ...quoted].join(' '),
      ...(plugin_root === undefined ? { windows: windowsCommand(path, at, words) } : {}),
      files: [file],
    };
  };
  return Object.assign(shim, { matching: product });
}

function startInWorkspace(product: ShimProduct, path: string): string {
  const { locate } = product;
  if (locate === 'cwd') return `node ${path}`;
  if (locate === 'walk') {
    const search = `r=$PWD; until [ -e "$r/${path}" ] || [ -z "$r" ]; do r=\${r%/*}; done`;
    return inShell(product, `${search}; exec node "$r/${path}" "$@"`);
  }
  return `node "$${locate.variable}"/${path}`;
}

function startAtHome(product: ShimProduct, path: string): string {
  return product.without_shell === true
    ? inShell(product, `exec node "$HOME/${path}" "$@"`)
    : `node "$HOME"/${path}`;
}

/** Returns a shell command; the words after it are the arguments of the snippet. */
function inShell(product: ShimProduct, snippet: string): string {
  return `sh -c ${quote(product, snippet)} catalog`;
}

function quote({ expands }: ShimProduct, word: string): string {
  return expands === true ? quoteUnexpanded(word) : quoteWord(word);
}

/**
 * Returns a command that cmd.exe and PowerShell parse alike: Node finds the script, and the arguments are one encoded
 * word without quotes.
 */
function windowsCommand(path: string, at: 'workspace' | 'home', words: readonly string[]): string {
  const find =
    at === 'home'
      ? `const r=require('os').homedir()`
      : `let r=process.cwd();while(!require('fs').existsSync(p.join(r,'${path}'))&&p.dirname(r)!==r)r=p.dirname(r)`;
  const program = `const p=require('path');${find};import(require('url').pathToFileURL(p.join(r,'${path}')))`;
  const encoded = Buffer.from(JSON.stringify(words)).toString('base64url');
  return `node -e "${program}" ${ENCODED}${encoded}`;
}
