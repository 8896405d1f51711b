import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const NAME_SERVER = '127.0.0.53';

/** No external access; all addresses belong to this machine, which has its own resolver. */
const SETUP = [
  'mount --bind "$1" /etc/resolv.conf',
  'ip link set lo up',
  'ip route add local default dev lo',
  'ip -6 route add local default dev lo',
];
const UNSHARE = ['--map-root-user', '--net', '--mount', 'sh', '-ec'];

/** Returns the reason why this machine cannot create the namespace; undefined if it can. */
export function namespaceProblem(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces require Linux';
  const script = [...SETUP.toSpliced(0, 1), 'mount --bind /dev/null /etc/resolv.conf'].join(' && ');
  const { status, error, stderr } = spawnSync('unshare', [...UNSHARE, script], {
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const [reason = ''] = (error?.message ?? stderr).trim().split('\n');
  return `cannot create a network namespace with unshare and ip: ${reason}`;
}

/** Starts a program in a new namespace. It is ready when it sends its first message. */
export async function startInNamespace(program: string, folder: string): Promise<ChildProcess> {
  const resolver = join(folder, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${NAME_SERVER}\noptions timeout:1 attempts:1\n`);
  const node = [process.execPath, '--conditions=@catalog/source', program, folder];
  const script = [...SETUP, `shift && exec "$@"`].join(' && ');
  const child = spawn('unshare', [...UNSHARE, script, 'sh', resolver, ...node], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (message !== 'ready') throw new Error('The program in the network namespace did not start.');
  return child;
}
