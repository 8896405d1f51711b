import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  startProgram,
  type CatalogRun,
  type RunningCatalog,
} from '@catalog/testkit/packed-program';
import { PROGRAMS, ROOT } from '../../../tools/services/folders.ts';

/** The commit that was released as 0.4.0. */
const COMMIT = '835a879';
/** Last migration of that release. */
export const LAST_STEP = 14;

export interface PreviousRelease {
  /** Starts `catalog serve` and waits until it listens. */
  serve(): Promise<{ url: string; running: RunningCatalog }>;
  /** Runs `catalog serve` until it exits, for a start that must fail. */
  tryToServe(): Promise<CatalogRun>;
}

export interface PreviousReleaseOptions {
  program: string;
  folder: string;
  dsn: string;
}

/** Returns the path of the 0.4.0 program, packed once and unpacked into a folder. */
export function unpackPreviousRelease(folder: string): string {
  const archive = join(PROGRAMS, `catalog-${COMMIT}.tgz`);
  if (!existsSync(archive)) {
    const pack = join(ROOT, 'tools/pack-commit.ts');
    execFileSync(process.execPath, ['--conditions=@catalog/source', pack, COMMIT, archive]);
  }
  const program = join(folder, 'package/dist/bin.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  chmodSync(program, 0o755);
  return program;
}

export function openPreviousRelease(options: PreviousReleaseOptions): PreviousRelease {
  const { program, folder, dsn } = options;
  const start = (): RunningCatalog =>
    startProgram(program, ['serve', '--json', '--bind', '127.0.0.1:0'], {
      cwd: folder,
      home: folder,
      env: {
        CATALOG_REGISTRY_STORE: 'postgres',
        CATALOG_POSTGRES_DSN: dsn,
        CATALOG_POSTGRES_POOL_SIZE: '4',
        CATALOG_EMBEDDING_PROVIDER: 'none',
      },
    });
  return {
    async serve() {
      const running = start();
      const [line] = await running.waitFor('stdout', /^\{.*\}$/m);
      const { url }: { url: string } = JSON.parse(line);
      return { url, running };
    },
    async tryToServe() {
      const running = start();
      const listening = running.waitFor('stdout', /^\{.*"url".*\}$/m).then(
        () => running.signal('SIGKILL'),
        () => undefined,
      );
      const run = await running.ended;
      await listening;
      return run;
    },
  };
}
