import { expect, test } from 'vitest';
import { parseAllowedTarget } from './allowed-target.ts';

test.each([
  ['hooks.corp', 'hooks.corp'],
  ['Hooks.Corp', 'hooks.corp'],
  ['hooks.corp:8443', 'hooks.corp:8443'],
  ['*.corp', '*.corp'],
  ['*.lab.corp:443', '*.lab.corp:443'],
  ['localhost', 'localhost'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['my_service', 'my_service'],
  ['4chan.example', '4chan.example'],
])('parseAllowedTarget parses %s as a host', (text, host) => {
  expect(parseAllowedTarget(text)).toEqual({ kind: 'host', host });
});

test.each(['10.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1'])(
  'parseAllowedTarget parses %s as a network',
  (text) => {
    expect(parseAllowedTarget(text)).toMatchObject({ kind: 'network' });
  },
);

test.each([
  '',
  '*',
  '.corp',
  'hooks.*.corp',
  '*hooks.corp',
  'https://hooks.corp',
  'hooks.corp/path',
  'hooks.corp:0',
  'hooks.corp:65536',
  'hooks.corp:',
  'hooks..corp',
  '-hooks.corp',
  'ann@hooks.corp',
  'bücher.example',
  '10.1.2.3:443',
  '10.1.2.3/8',
  '10.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '[::1]',
  '[::1]:443',
  'a.example,b.example',
])('parseAllowedTarget rejects %j', (text) => {
  expect(parseAllowedTarget(text)).toBeUndefined();
});
