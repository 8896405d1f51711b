import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { VARIABLES } from './variables.ts';

/** What `catalog-mcp` was asked to be. */
export type Arguments = { kind: 'stdio' } | { kind: 'help' } | { kind: 'http'; port: number };

const WIDTH = Math.max(...VARIABLES.map(([name]) => name.length));

export const USAGE = `catalog-mcp serves the catalog to an AI agent over the Model Context Protocol.

A harness starts it and communicates over stdin and stdout. Configure it with environment variables:

${VARIABLES.map(([name, summary]) => `  ${name.padEnd(WIDTH)}  ${summary}`).join('\n')}

Options:
  --http [port]  serve over HTTP on this machine instead, with a secret printed once on stderr
  --version      print the version
  --help         print this help
`;

export function readArguments(words: readonly string[]): Arguments {
  const [first, second] = words;
  if (first === undefined) return { kind: 'stdio' };
  if (words.length === 1 && (first === '--help' || first === '-h')) return { kind: 'help' };
  if (first === '--http' && words.length <= 2) {
    if (second === undefined) return { kind: 'http', port: 0 };
    const port = /^\d{1,5}$/.test(second) ? Number(second) : Number.NaN;
    if (port <= 65_535) return { kind: 'http', port };
  }
  throw new CatalogError('config.invalid', `Unknown arguments: ${words.join(' ')}.`, {
    suggested_action: 'Run `catalog-mcp --help`; a harness starts it without arguments.',
  });
}
