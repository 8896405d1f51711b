import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Commands that start a namespace with only the loopback interface and its own process ids. Users need the first form;
 * a machine that forbids it may allow root the second.
 */
const FORMS: readonly (readonly string[])[] = [
  ['--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
];

/** Loopback is down in a new namespace. */
const WITH_LOOPBACK = ['sh', '-c', 'ip link set lo up && exec "$0" "$@"'];

/** Returns arguments to put before a command. Throws if the machine does not support such namespaces. */
export function namespaceCommand(): string[] {
  const complaints: string[] = [];
  for (const form of FORMS) {
    const words = ['unshare', ...form, '--', ...WITH_LOOPBACK];
    const { status, stderr, error } = spawnSync(words[0] ?? '', [...words.slice(1), 'true'], {
      encoding: 'utf8',
    });
    if (status === 0) return words;
    complaints.push(error?.message ?? stderr.trim());
  }
  throw new Error(
    `The programs run only without a network, and this machine gives no network namespace: ${complaints.join('; ')}`,
  );
}

export function assertSealed(): void {
  const interfaces = readFileSync('/proc/self/net/dev', 'utf8')
    .split('\n')
    .slice(2)
    .map((line) => line.split(':')[0]?.trim() ?? '')
    .filter((name) => name !== '' && name !== 'lo');
  const routes = readFileSync('/proc/self/net/route', 'utf8').trim().split('\n').slice(1);
  if (routes.length > 0 || interfaces.some((name) => isUp(name))) {
    throw new Error(
      'There is a network here: the programs run only in a namespace without one. Use ./dev harness-programs.',
    );
  }
}

/** Some kernels add tunnel devices, which are down, to every new namespace. */
function isUp(name: string): boolean {
  return readFileSync(`/sys/class/net/${name}/operstate`, 'utf8').trim() === 'up';
}
