import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../services/install-once.ts';
import { runProgram } from '../services/run-program.ts';

const PINNED = join(import.meta.dirname, 'pinned');

export function installPinned(name: string): Promise<string> {
  const pinned = join(PINNED, name);
  const hash = createHash('sha256').update(readFileSync(join(pinned, 'package-lock.json')));
  return installOnce({
    key: `mcp-${name}-${hash.digest('hex').slice(0, 8)}`,
    build: async (folder) => {
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(join(pinned, file), join(folder, file));
      }
      const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await runProgram('npm', ['ci', ...how], { cwd: folder });
    },
  });
}
