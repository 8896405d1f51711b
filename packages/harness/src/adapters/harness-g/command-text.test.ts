import { artifactOf } from '@catalog/testkit/authored-package';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { commandText } from './command-text.ts';

function render(prose: string): ReturnType<typeof commandText> {
  const head = '---\ntype: command\nversion: 1.0.0\ndescription: Says "go".\n---\n';
  return commandText(artifactOf('ops/go', { 'ARTIFACT.md': head + prose }));
}

function parsed(prose: string): unknown {
  const text = render(prose);
  return typeof text === 'string' ? parse(text) : text;
}

test.each([
  ['Go $ARGUMENTS, then "$ARGUMENTS".\n', 'Go {{args}}, then "{{args}}".\n'],
  ['Go $ARGUMENTS', 'Go {{args}}'],
  ['!$ARGUMENTS @$ARGUMENTS', '! {{args}} @ {{args}}'],
])('harness-g converts %j to the prompt %j', (prose, prompt) => {
  expect(parsed(prose)).toEqual({ description: 'Says "go".', prompt });
});

test.each([
  'Go.\n',
  'Not $ARGUMENTS_FILE.\n',
  'It costs $15, $2.50 or $1,000, and $HOME stays.\n',
  '\'\'\'a\'\'\' """b""" \\c\r\n\td é\n',
])('harness-g keeps %j unchanged in a command', (prose) => {
  expect(parsed(prose)).toEqual({ description: 'Says "go".', prompt: prose });
});

test.each([
  ['Tag $1.', '$1'],
  ['Tag "$2", $3', '$2'],
  ['$9', '$9'],
])('harness-g rejects the command %j because of %s', (prose, positional) => {
  expect(render(prose)).toMatchObject({
    untranslatable: expect.stringContaining(`such as ${positional};`),
  });
});

test('marks imported prose in a command of harness-g', () => {
  const text = render('<!-- begin imported -->\nTheirs.\n<!-- end imported -->\n');
  expect(text).toContain('<untrusted-data>\nTheirs.\n</untrusted-data>');
});
