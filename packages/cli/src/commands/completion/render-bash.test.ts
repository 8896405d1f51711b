import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { definitions } from '../../command/table.ts';
import { listPlaces } from './list-places.ts';
import { renderBash } from './render-bash.ts';
import { renderFish } from './render-fish.ts';
import { renderZsh } from './render-zsh.ts';

const places = listPlaces(definitions, {
  harness: ['none', 'harness-a'],
  'artifact-type': ['skill', 'rule'],
  command: ['sync', 'lint'],
});

function complete(...words: string[]): string[] {
  const script = `${renderBash(places)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalog; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'catalog', ...words], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

test.each<[string[], string[]]>([
  [['sta'], ['status']],
  [
    ['sync', ''],
    ['enable', 'disable'],
  ],
  [['sync', '--che'], ['--check']],
  [
    ['sync', '--harness', ''],
    ['none', 'harness-a'],
  ],
  [['sync', '--agent', 'ha'], ['harness-a']],
  [['sync', '--harness', '=', 'no'], ['none']],
  [
    ['sync', '--harness', '='],
    ['none', 'harness-a'],
  ],
  [['--harness', 'none', 'artifact', ''], ['new']],
  [['artifact', 'new', 's'], ['skill']],
  [['artifact', 'new', 'skill', ''], []],
  [
    ['artifact', 'new', '--rule-mode', 'a'],
    ['always', 'auto'],
  ],
  [['lint', '--format', 's'], ['sarif']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['help', 'l'], ['lint']],
  [['config', 'show', '--json', '--expl'], ['--explain']],
  [['sync', '--registry', '/nowhere-at-all/'], []],
  [['sync', '--registry', '/us'], ['/usr']],
  [['why', 'sear'], ['search']],
  [['why', '/us'], ['/usr']],
  [['why', 'search', ''], []],
])('bash completes %j with %j', (words, offered) => {
  expect(complete(...words)).toEqual(offered);
});

test('bash lists all commands at the start', () => {
  const first = new Set(definitions.map(({ name }) => name.split(' ')[0]));
  expect(new Set(complete(''))).toEqual(first);
});

test('zsh and fish scripts contain every command and every flag', () => {
  const zsh = renderZsh(places);
  const fish = renderFish(places);
  for (const { name, flags } of definitions) {
    expect(zsh).toContain(`'${name}')`);
    for (const flag of Object.keys(flags)) {
      expect(zsh).toContain(`'--${flag}:`);
      expect(fish).toMatch(new RegExp(`"${name}"' -l ${flag} `));
    }
  }
});
