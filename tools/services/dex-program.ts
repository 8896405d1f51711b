import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

/** Commit of 2026-08-06. */
const VERSION = 'v0.0.0-20260806151424-ab64ed778070';
const MODULE = 'github.com/dexidp/dex';
/** Its administrative API is a separate module, whose latest release is older. */
const API = `${MODULE}/api/v2`;

/**
 * Replaces the administrative API, which tests do not use and which the latest release of its
 * module does not fully contain. All code for sign-in is unchanged.
 */
const NO_ADMINISTRATION = `package apiserver

import "${API}"

func NewAPI(...any) api.DexServer { return api.UnimplementedDexServer{} }
`;

export interface DexProgram {
  program: string;
  web: string;
}

/** An independent identity provider, written in another language. */
export async function installDex(cache?: string): Promise<DexProgram> {
  const folder = await installOnce({
    key: `dex-${VERSION}`,
    build: buildDex,
    ...(cache !== undefined && { cache }),
  });
  return { program: join(folder, 'dex'), web: join(folder, 'web') };
}

/** `go install` fails for a module that replaces one of its own dependencies. */
async function buildDex(folder: string): Promise<void> {
  const described = await runProgram('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    cwd: folder,
  });
  const { Dir: source }: { Dir: string } = JSON.parse(described);
  const copy = join(folder, 'source');
  cpSync(source, copy, { recursive: true });
  // The module cache is read-only, and so is a copy of it.
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
