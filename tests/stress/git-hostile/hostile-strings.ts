import type { Stage } from './hostile-stage.ts';

/** Names with a special meaning for git, a shell or a file system. */
export const NAMES = [
  '..',
  '.',
  '.git',
  '.GIT',
  '.Git',
  'git~1',
  'GIT~1',
  '.git ',
  '.git.',
  '.g\u200cit',
  '.git::$INDEX_ALLOCATION',
  '.gitmodules',
  '..\\..\\escape',
  'a/../../escape',
  '/etc/passwd',
  '',
  '-rf',
  '--upload-pack=id',
  '$(id)',
  '`id`',
  'new\nline',
  'rtl\u202Egpj.sh',
  'CON',
  'x'.repeat(300),
  Buffer.from([0xff, 0xfe, 0x2f]),
  Buffer.from([0xc0, 0xae, 0xc0, 0xae]),
];

export const MODES = [
  '100644',
  '100755',
  '40000',
  '120000',
  '160000',
  '0100644',
  '100664',
  '170000',
  '0',
  '777',
];

export function targets(stage: Stage): string[] {
  return [
    stage.outside,
    '/etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
    '../../../../../../../../../../etc/passwd',
    '../..',
    '..',
    '.',
    '',
    'link',
    'x'.repeat(5000),
    '.git/config',
    '..\\..\\escape',
    `a${'/..'.repeat(50)}/etc/passwd`,
    'nowhere',
    'with\nnewline',
  ];
}

export function refs(stage: Stage): string[] {
  return [
    `--upload-pack=touch ${stage.canary_file}`,
    `--exec=touch ${stage.canary_file}`,
    '-oProxyCommand=id',
    `main;touch ${stage.canary_file}`,
    `$(touch ${stage.canary_file})`,
    '+refs/heads/*:refs/heads/*',
    'main:main',
    'refs/heads/../../config',
    'HEAD^{/x}',
    '@{upstream}',
    'x'.repeat(4000),
    'a\nb',
    'a\0b',
    '../../HEAD',
    'refs/heads/main^{tree}',
    'f'.repeat(40),
    ':/message',
  ];
}

export function repos(stage: Stage): string[] {
  return [
    `ext::sh -c "touch ${stage.canary_file}"`,
    `fd::7`,
    `--upload-pack=touch ${stage.canary_file}`,
    `-oProxyCommand=touch ${stage.canary_file}`,
    `ssh://-oProxyCommand=touch ${stage.canary_file}/a`,
    `git@host:$(touch ${stage.canary_file})`,
    `git@host:\`touch ${stage.canary_file}\``,
    `ssh://host/';touch ${stage.canary_file};'`,
    'file:///etc',
    '/etc/passwd',
    '../../..',
    `http://127.0.0.1:${stage.canary_port}/a.git`,
    `https://127.0.0.1:${stage.canary_port}/a.git`,
    `https://[::ffff:127.0.0.1]:${stage.canary_port}/a.git`,
    `https://2130706433:${stage.canary_port}/a.git`,
    `https://0x7f.1:${stage.canary_port}/a.git`,
    `https://127.1:${stage.canary_port}/a.git`,
    `https://0:${stage.canary_port}/a.git`,
    `https://user:pw@127.0.0.1:${stage.canary_port}/a.git`,
    `git://127.0.0.1:${stage.canary_port}/a.git`,
    `ssh://git@127.0.0.1:${stage.canary_port}/a.git`,
    `ftp://127.0.0.1:${stage.canary_port}/a.git`,
    `gopher://127.0.0.1:${stage.canary_port}/a.git`,
    `http::https://127.0.0.1:${stage.canary_port}/a.git`,
    `https://git.example\\@127.0.0.1:${stage.canary_port}/a.git`,
    `https://git.example#@127.0.0.1:${stage.canary_port}/a.git`,
    `https://169.254.169.254/latest/meta-data`,
  ];
}

/** DNS results that each include an address that is not public. */
export const DNS_RESULTS = [
  ['127.0.0.1'],
  ['::1'],
  ['93.184.215.14', '127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['0.0.0.0'],
  ['fd00::1'],
  [],
];

/** Layer roots that are outside of the repository or do not exist. */
export const ROOTS = [
  '../..',
  '/etc',
  '..',
  '.git',
  'a/../../..',
  'good/ARTIFACT.md',
  '-x',
  'nowhere',
  '.',
];
