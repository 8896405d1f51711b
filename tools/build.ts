import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rolldown, type OutputChunk } from 'rolldown';
import { DIST as WEB, MODULES_FILE } from '../packages/web/build/web-inputs.ts';
import { hashProgramInputs } from './services/program-inputs.ts';
import { ensureWebAssets } from './services/web-assets.ts';

const ROOT = join(import.meta.dirname, '..');
const CLI = join(ROOT, 'packages/cli');
const DIST = join(CLI, 'dist');
const EMBEDDER = join(ROOT, 'packages/embedder');
/**
 * Built in a staging directory and renamed at the end, so a running program never sees a partial
 * build.
 */
const STAGING = join(ROOT, `.cache/build-${process.pid}`);

/** Every lazy `import()` stays in its own file, so a start loads only what its command needs. */
async function buildProgram(): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    input: { bin: join(CLI, 'src/bin.ts'), mcp: join(ROOT, 'packages/mcp/src/bin.ts') },
    cwd: ROOT,
    platform: 'node',
    // Has native code for each platform, which npm installs next to the bundle if it is available.
    external: ['@napi-rs/keyring'],
    resolve: {
      // rolldown adds `import` or `require` according to how a package is imported; pg uses both.
      conditionNames: ['@catalog/source', 'node', 'default'],
      // The `main` of jsonc-parser is a UMD file; bundlers cannot follow its `require`.
      mainFields: ['module', 'main'],
    },
  });
  const { output } = await bundle.write({
    dir: STAGING,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  return output.filter((item) => item.type === 'chunk');
}

interface ThirdParty {
  name: string;
  version: string;
  license: string;
  text: string;
}

function listThirdParties(moduleIds: readonly string[]): ThirdParty[] {
  const folders = new Set<string>();
  for (const moduleId of moduleIds) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId)?.[0];
    if (folder) folders.add(folder);
  }
  return [...folders].sort().map((folder) => {
    const manifest: { name: string; version: string; license?: string } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return {
      name: manifest.name,
      version: manifest.version,
      license: manifest.license ?? 'see text',
      text: file ? readFileSync(join(folder, file), 'utf8').trim() : '',
    };
  });
}

function formatNotices(parties: readonly ThirdParty[]): string {
  const blocks = parties.map(({ name, version, license, text }) =>
    `${name} ${version} (${license})\n\n${text}`.trim(),
  );
  const model = readFileSync(join(EMBEDDER, 'NOTICE'), 'utf8').trim();
  const all = [...blocks, model].join('\n\n---\n\n');
  return `The catalog program contains code of these packages, and at the end a model.\n\n${all}\n`;
}

function copySchemas(): void {
  for (const engine of ['postgres', 'sqlite']) {
    const from = join(ROOT, 'packages/server/src/adapters/store', engine, 'migrations/steps');
    cpSync(from, join(STAGING, 'migrations', engine), { recursive: true });
  }
}

async function build(): Promise<void> {
  await ensureWebAssets();
  const webModules: string[] = JSON.parse(readFileSync(join(WEB, MODULES_FILE), 'utf8'));
  const chunks = await buildProgram();
  const modules = [...chunks.flatMap((chunk) => chunk.moduleIds), ...webModules];
  writeFileSync(join(STAGING, 'THIRD-PARTY-NOTICES.txt'), formatNotices(listThirdParties(modules)));
  cpSync(WEB, join(STAGING, 'web'), {
    recursive: true,
    filter: (path) => !basename(path).startsWith('.'),
  });
  copySchemas();
  cpSync(join(EMBEDDER, 'data'), join(STAGING, 'data'), { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(CLI, 'LICENSE'));
  rmSync(DIST, { recursive: true, force: true });
  renameSync(STAGING, DIST);
}

/** Hash of the inputs of the last build. */
const BUILT_FROM = join(ROOT, '.cache/built-from');
const LOCK_TIMEOUT_MS = 300_000;

/** Keeps a current build, which programs in other processes may be using. */
async function ensureBuilt(): Promise<void> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const mutex = new DatabaseSync(join(ROOT, '.cache/build.lock'), { timeout: LOCK_TIMEOUT_MS });
  try {
    mutex.exec('BEGIN EXCLUSIVE');
    const inputs = hashProgramInputs();
    const isCurrent = existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === inputs;
    if (isCurrent && existsSync(DIST)) return;
    await build();
    writeFileSync(BUILT_FROM, inputs);
  } finally {
    mutex.close();
  }
}

await ensureBuilt();
