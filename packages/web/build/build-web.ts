import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { DIST, hashInputs, INPUTS_FILE, MODULES_FILE } from './web-inputs.ts';

const PACKAGE = join(import.meta.dirname, '..');

/** Builds into another directory and renames it, so that `dist` is never incomplete. */
async function buildWeb(): Promise<void> {
  const staging = join(PACKAGE, '../../.cache', `web-${process.pid}`);
  const inputs = hashInputs();
  const output = await build({
    root: PACKAGE,
    configFile: join(PACKAGE, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: staging, emptyOutDir: true },
  });
  writeFileSync(join(staging, MODULES_FILE), JSON.stringify(listModules(output)));
  writeFileSync(join(staging, INPUTS_FILE), inputs);
  mkdirSync(DIST, { recursive: true });
  rmSync(DIST, { recursive: true });
  renameSync(staging, DIST);
}

/** Lists every module of the bundle, so that the program can name the packages it contains. */
function listModules(output: Awaited<ReturnType<typeof build>>): string[] {
  const outputs = (Array.isArray(output) ? output : [output]).filter(isOutput);
  const chunks = outputs.flatMap((one) => one.output).filter((item) => item.type === 'chunk');
  return [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds))].toSorted();
}

function isOutput(value: object): value is Rolldown.RolldownOutput {
  return 'output' in value;
}

await buildWeb();
