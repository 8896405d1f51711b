#!/usr/bin/env node
import { VERSION } from '@catalog/contract/version';
import { openCompileCache } from '@catalog/consumer/compile-cache';

// Every start runs this file. The version is printed without loading another module.
const MIN_NODE_MAJOR = 24;

const words = process.argv.slice(2);

if (Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR) {
  process.stderr.write(
    `error: catalog needs Node.js ${MIN_NODE_MAJOR} or newer; this is ${process.version}.\n`,
  );
  process.exitCode = 2;
} else if (words.length === 1 && /^(?:--version|-v|version)$/.test(words[0] ?? '')) {
  process.stdout.write(`catalog ${VERSION}\n`);
} else {
  openCompileCache(process.env);
  const { main } = await import('./main.ts');
  await main();
}
