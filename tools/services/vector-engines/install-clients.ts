import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installOnce } from '../install-once.ts';
import { runProgram } from '../run-program.ts';

const PINNED = join(import.meta.dirname, 'pinned');

/** Verifies each package against its hash. */
export async function installClients(): Promise<NodeJS.Require> {
  const hash = createHash('sha256').update(readFileSync(join(PINNED, 'package-lock.json')));
  const folder = await installOnce({
    key: `vector-clients-${hash.digest('hex').slice(0, 8)}`,
    build: async (staging) => {
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(join(PINNED, file), join(staging, file));
      }
      // One client has a peer dependency on a compiler, only for its types.
      const how = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
      await runProgram('npm', ['ci', ...how, '--loglevel=error'], { cwd: staging });
    },
  });
  return createRequire(join(folder, 'package.json'));
}
