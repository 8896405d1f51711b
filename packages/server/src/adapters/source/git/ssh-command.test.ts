import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sshCommand } from './ssh-command.ts';

const ROUTE = {
  host: 'git.example.com',
  port: 22,
  address: '93.184.215.14',
  ssh_key: undefined,
  known_hosts: undefined,
};

/** The words a shell makes of a command. */
function wordsOf(command: string): string[] {
  const script = `set -- ${command}; printf '%s\\0' "$@"`;
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
}

function optionsOf(command: string): string[] {
  return wordsOf(command).filter((_word, index, words) => words[index - 1] === '-o');
}

test('goes to the checked address under the key of the name, and asks nobody', () => {
  const words = wordsOf(sshCommand(ROUTE));
  expect(words.slice(0, 3)).toEqual(['ssh', '-F', '/dev/null']);
  expect(optionsOf(sshCommand(ROUTE))).toEqual(
    expect.arrayContaining([
      'HostName=93.184.215.14',
      'HostKeyAlias=git.example.com',
      'BatchMode=yes',
      'StrictHostKeyChecking=yes',
      'IdentityAgent=none',
      'IdentityFile=none',
      'ForwardAgent=no',
      'ClearAllForwardings=yes',
      'PermitLocalCommand=no',
      'ProxyCommand=none',
    ]),
  );
});

test('knows hosts on other ports by name and port, as known_hosts does', () => {
  expect(optionsOf(sshCommand({ ...ROUTE, port: 2222 }))).toContain(
    'HostKeyAlias=[git.example.com]:2222',
  );
});

test('takes keys and host keys from where the operator says, whatever the path', () => {
  const ssh_key = "/keys/it's mine; $(id)";
  const options = optionsOf(sshCommand({ ...ROUTE, ssh_key, known_hosts: '/a b/hosts' }));
  expect(options).toEqual(
    expect.arrayContaining([
      `IdentityFile="${ssh_key}"`,
      'UserKnownHostsFile="/a b/hosts"',
      'GlobalKnownHostsFile=/dev/null',
    ]),
  );
});
