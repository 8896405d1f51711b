import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

/** The commit of 2026-08-06; the part of it that is a module of its own goes by the commit. */
const COMMIT = 'ab64ed778070';
const VERSION = `v0.0.0-20260806151424-${COMMIT}`;
const MODULE = 'github.com/dexidp/dex';
const API = `${MODULE}/api/v2`;

export interface DexProgram {
  program: string;
  /** The folder of its pages. */
  web: string;
}

/** An identity provider by other people and in another language; built the first time. */
export async function installDex(cache?: string): Promise<DexProgram> {
  const folder = await installOnce({
    key: `dex-${VERSION}`,
    build: buildDex,
    ...(cache !== undefined && { cache }),
  });
  return { program: join(folder, 'dex'), web: join(folder, 'web') };
}

/** Not by `go install`: a module that replaces one of its own dependencies cannot be installed that way. */
async function buildDex(folder: string): Promise<void> {
  const described = await runProgram('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    cwd: folder,
  });
  const { Dir: source }: { Dir: string } = JSON.parse(described);
  const copy = join(folder, 'source');
  cpSync(source, copy, { recursive: true });
  // Modules are kept read-only, and so is a copy of one.
  await runProgram('chmod', ['-R', 'u+w', copy]);
  const go = (...words: string[]): Promise<string> =>
    runProgram('go', words, { cwd: copy, env: { CGO_ENABLED: '0' } });
  await go('mod', 'edit', '-dropreplace', API);
  await go('get', `${API}@${COMMIT}`);
  await go('build', '-mod=mod', '-o', join(folder, 'dex'), './cmd/dex');
  renameSync(join(copy, 'web'), join(folder, 'web'));
  rmSync(copy, { recursive: true });
}
