import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Settings } from '@catalog/server/config/settings';
import { cpuOf } from '../../../bench/registry-process.ts';

const SERVE = join(import.meta.dirname, 'serve.ts');

export interface SourceProcess {
  url: string;
  cpuMs(): number;
  stop(): Promise<void>;
}

export async function startFromSource(settings: Settings): Promise<SourceProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=@catalog/source', SERVE, JSON.stringify(settings)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const closed = once(child, 'close');
  const first = once(createInterface(child.stdout), 'line');
  const line: unknown = await Promise.race([first, closed.then(() => undefined)]);
  const { pid } = child;
  if (!Array.isArray(line) || pid === undefined) throw new Error('the registry did not start');
  const { url }: { url: string } = JSON.parse(String(line[0]));
  return {
    url,
    cpuMs: () => cpuOf(pid),
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}
