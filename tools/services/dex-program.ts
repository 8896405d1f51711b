import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

/** The commit of 2026-08-06. */
const VERSION = 'v0.0.0-20260806151424-ab64ed778070';
const MODULE = 'github.com/dexidp/dex';
/** Its messages for administrators are a module of their own, whose latest release is older. */
const API = `${MODULE}/api/v2`;

/**
 * Nobody administers Dex in a test. What the last release of the messages does not have yet is left
 * out, and everything that signs people in is as its authors wrote it.
 */
const NO_ADMINISTRATION = `package apiserver

import "${API}"

func NewAPI(...any) api.DexServer { return api.UnimplementedDexServer{} }
`;

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
  const administration = join(copy, 'server/apiserver');
  rmSync(administration, { recursive: true });
  mkdirSync(administration);
  writeFileSync(join(administration, 'api.go'), NO_ADMINISTRATION);
  await go('build', '-mod=mod', '-o', join(folder, 'dex'), './cmd/dex');
  renameSync(join(copy, 'web'), join(folder, 'web'));
  rmSync(copy, { recursive: true });
}
