import { expect, test } from 'vitest';
import { readWords } from './read-words.ts';
import { serverNames } from './shared-server.ts';

test('readWords selects all services if no name is given', () => {
  expect(readWords(['up'])).toEqual({
    kind: 'up',
    names: serverNames,
    ports: {},
    in_memory: false,
  });
  expect(readWords(['down'])).toEqual({ kind: 'down', names: serverNames });
  expect(readWords(['install'])).toEqual({ kind: 'install', names: serverNames });
});

test('readWords accepts a port after a name, and the data in memory', () => {
  expect(readWords(['up', '--memory', 'postgres=55432', 's3'])).toEqual({
    kind: 'up',
    names: ['postgres', 's3'],
    ports: { postgres: 55_432 },
    in_memory: true,
  });
});

test('readWords accepts programs other than servers for install and rejects them for up', () => {
  expect(readWords(['install', 'helm', 's3'])).toEqual({ kind: 'install', names: ['helm', 's3'] });
  const others = ['dex', 'chromium', 'keyring', 'tmux'];
  expect(readWords(['install', ...others])).toEqual({ kind: 'install', names: others });
  expect(readWords(['up', 'helm'])).toEqual({ kind: 'refused', reason: 'no service "helm"' });
});

test.each([
  [[], 'say what to do'],
  [['restart'], 'no action "restart"'],
  [['up', 'mysql'], 'no service "mysql"'],
  [['down', 's3', 'mysql', 'toString'], 'no service "mysql, toString"'],
  [['install', 'mysql'], 'no service "mysql"'],
  [['status', 'postgres=5432'], 'no service "postgres=5432"'],
  [['up', 'postgres='], '"" is not a port'],
  [['up', 'postgres=http'], '"http" is not a port'],
  [['up', 'postgres=65536'], '"65536" is not a port'],
])('readWords rejects %j', (words, reason) => {
  expect(readWords(words)).toEqual({ kind: 'refused', reason });
});
