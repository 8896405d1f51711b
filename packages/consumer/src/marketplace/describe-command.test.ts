import { expect, test } from 'vitest';
import { describeCommand, listWants } from './describe-command.ts';
import { withoutSecrets } from './without-secrets.ts';

test.each([
  ['https://git.example/a.git', 'https://git.example/a.git'],
  ['https://ann:s3cret@git.example/a.git', 'https://git.example/a.git'],
  ['https://ann:s3@cr@et@git.example/a@b.git', 'https://git.example/a@b.git'],
  [
    "fatal: 'https://t0ken@git.example/a' and ssh://git@b",
    "fatal: 'https://git.example/a' and ssh://b",
  ],
  ['https://git.example/search?mail=a@b#c', 'https://git.example/search?***#c'],
  ["fatal: 'https://git.example/a?token=b' failed", "fatal: 'https://git.example/a?***' failed"],
  ['git@git.example:a.git', 'git@git.example:a.git'],
])('withoutSecrets formats %s as %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

const STEP = { skip_if_no_changes: false, continue_on_error: false, timeout_ms: undefined };

test('describeCommand removes credentials from a command', () => {
  const remote = 'https://ann:s3cret@git.example/a.git';
  for (const command of [{ run: ['git', 'push', remote] }, { sh: `git push ${remote}` }]) {
    expect(describeCommand({ ...STEP, command })).toBe('git push https://git.example/a.git');
  }
});

test('listWants shows the whole command, including parts that look like a password', () => {
  const sh = 'echo a://$(id>out)@b';
  const workflow = {
    prepare: [{ ...STEP, command: { sh } }],
    prepare_on_error: [],
    publish: [],
    publish_on_error: [],
  };
  const target = { id: 'acme', workflow, publish: undefined, git: undefined };
  expect(listWants(target)).toEqual([`acme: prepare: ${sh}`]);
});
