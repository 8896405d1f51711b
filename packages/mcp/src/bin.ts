#!/usr/bin/env node
import { VERSION } from '@catalog/contract/version';
import { openCompileCache } from '@catalog/consumer/compile-cache';

// A harness runs this file at every start while the user waits, so it imports as little as possible.
const OLDEST_NODE = 24;

const words = process.argv.slice(2);

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `error: catalog-mcp needs Node.js ${OLDEST_NODE} or newer; this is ${process.version}.\n`,
  );
  process.exitCode = 2;
} else if (words.length === 1 && /^(?:--version|-v)$/.test(words[0] ?? '')) {
  process.stdout.write(`catalog-mcp ${VERSION}\n`);
} else {
  openCompileCache(process.env);
  const { main } = await import('./main.ts');
  await main(words, process.env);
}
