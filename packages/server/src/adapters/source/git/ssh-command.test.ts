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

function wordsOf(command: string): string[] {
  const script = `set -- ${command}; printf '%s\\0' "$@"`;
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
}

function optionsOf(command: string): string[] {
  return wordsOf(command).filter((_word, index, words) => words[index - 1] === '-o');
}

test('sshCommand connects to the checked address with the host key of the name and without prompts', () => {
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

test('sshCommand identifies hosts on other ports by name and port, like known_hosts', () => {
  expect(optionsOf(sshCommand({ ...ROUTE, port: 2222 }))).toContain(
    'HostKeyAlias=[git.example.com]:2222',
  );
});

test('sshCommand quotes any path of the configured key and known_hosts files', () => {
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
