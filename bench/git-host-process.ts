import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGitRepository, type GitRepository } from '@catalog/testkit/git-repository';

export interface GitHostProcess {
  port: number;
  addRepository(name: string): GitRepository & { url: string };
  stop(): Promise<void>;
}

const HOST = join(import.meta.dirname, 'git-host.ts');

export async function startGitHost(folder: string): Promise<GitHostProcess> {
  const child = spawn(process.execPath, ['--conditions=@catalog/source', HOST, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const [line] = await once(createInterface(child.stdout), 'line');
  const port = Number(line);
  return {
    port,
    addRepository: (name) => ({
      ...createGitRepository(join(folder, name)),
      url: `http://127.0.0.1:${port}/${name}`,
    }),
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
