import { createMarketplacePlace, targetOf } from '@catalog/testkit/marketplace-place';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { watch } from '../watch/watch.ts';
import type { MarketplaceTarget } from './types.ts';

function resolved(yaml: string): MarketplaceTarget {
  const place = createMarketplacePlace();
  place.configure(yaml);
  const [target] = place.config().marketplaces;
  if (target === undefined) throw new Error('no marketplace');
  return target;
}

async function refusal(yaml: string): Promise<unknown> {
  const place = createMarketplacePlace();
  place.configure(yaml);
  return place.run().then(
    () => undefined,
    (error: unknown) => error,
  );
}

function refused(message: RegExp): object {
  return {
    code: 'config.invalid',
    message: expect.stringMatching(message),
    suggested_action: expect.not.stringContaining('Correct the key'),
  };
}

function harness(value: string): string {
  return targetOf().replace('harness: [harness-a]', value);
}

function plugins(value: string): string {
  return targetOf().replace(/plugins: .*/, `plugins: ${value}`);
}

describe('marketplace targets', () => {
  verifies('CFG-06', 'resolves harnesses, plugins and an identity', () => {
    expect(resolved(targetOf('    identity: Release robot\n'))).toMatchObject({
      harnesses: ['harness-a'],
      plugins: [{ name: 'ops', include: ['ops/**'], exclude: [], type: [] }],
      identity: 'Release robot',
    });
  });

  test('accepts harnesses as one name or a list', () => {
    expect(resolved(harness('harnesses: [harness-a, harness-d]')).harnesses).toEqual([
      'harness-a',
      'harness-d',
    ]);
    expect(resolved(harness('harness: harness-d')).harnesses).toEqual(['harness-d']);
  });

  verifies('ERR-24', 'rejects a malformed target with advice', async () => {
    const workflow = (command: string): string =>
      targetOf(`    workflow: {publish: [${command}]}\n`);
    const cases: [string, RegExp][] = [
      [harness('harness: [harness-e]'), /cannot be a marketplace for harness-e/],
      [plugins('[{name: ops, include: ["ops/{a"]}]'), /plugin ops whose pattern ops\/\{a/],
      [workflow('{run: [a], sh: a}'), /both run and sh in workflow\.publish\[0\]/],
      [workflow('{timeout: 5s}'), /neither run nor sh in workflow\.publish\[0\]/],
    ];
    for (const [yaml, message] of cases)
      expect(await refusal(yaml)).toMatchObject(refused(message));
  });

  test.each([
    ['no folder', targetOf().replace('    target: ./market\n', ''), /marketplace without a folder/],
    ['no harness', harness('identity: X'), /marketplace without a harness/],
    ['both spellings', targetOf('    harnesses: [harness-d]\n'), /both harness and harnesses/],
    ['no plugins', plugins('[]'), /marketplace without plugins/],
    ['two plugins of one name', plugins('[{name: a}, {name: a}]'), /two plugins are named a/],
    ['a plugin name nobody takes', plugins('[{name: Ops Tools}]'), /"Ops Tools" is not a name/],
    ['an id nobody takes', targetOf().replace('id: acme', 'id: Acme_1'), /"Acme_1" is not a name/],
    ['an unknown type', plugins('[{name: a, type: [skil]}]'), /Unknown type skil/],
    ['a strange time', targetOf('    workflow: {prepare: [{sh: a, timeout: 5}]}\n'), /timeout/],
    ['no time', targetOf('    workflow: {prepare: [{sh: a, timeout: 0s}]}\n'), /timeout/],
    ['more time', targetOf('    workflow: {prepare: [{sh: a, timeout: 600h}]}\n'), /timeout/],
    ['nowhere to push', targetOf('    publish: {git: {branch: main}}\n'), /has no remote/],
    [
      'an option for an address',
      targetOf('    git: {remote: --upload-pack=x}\n'),
      /which is not a URL/,
    ],
    [
      'a strange branch',
      targetOf('    git: {remote: x, branch: a..b}\n'),
      /not a valid name in git/,
    ],
    [
      'a strange author',
      targetOf('    publish: {git: {remote: x, author: Ann}}\n'),
      /which git cannot parse/,
    ],
    ['an unknown field', targetOf('    commit_message: "{{.Nope}}"\n'), /\{\{\.Nope\}\}/],
    [
      'a folder with another target',
      `${targetOf()}  - {id: mine, harness: harness-a, target: ./market}\n`,
      /write into the same folder/,
    ],
  ])('rejects a target with %s', async (_what, yaml, message) => {
    expect(await failure(yaml)).toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(message),
    });
  });

  test('rejects a name that its product reserves', async () => {
    const yaml = harness('harness: [claude-code]').replace('id: acme', 'id: agent-skills');
    expect(await refusal(yaml)).toMatchObject(refused(/makers of claude keep for themselves/));
    expect(await refusal(targetOf().replace('id: acme', 'id: agent-skills'))).toBeUndefined();
  });
});

async function failure(yaml: string): Promise<unknown> {
  const place = createMarketplacePlace();
  place.configure(yaml);
  return place.run().then(
    ({ error }) => error,
    (error: unknown) => error,
  );
}

describe('harnesses of a marketplace target', () => {
  verifies('MKT-05', 'rejects harness-e, which has no git distribution', async () => {
    expect(await refusal(harness('harness: [harness-a, harness-e]'))).toMatchObject(
      refused(/cannot be a marketplace for harness-e: it installs from a package registry only/),
    );
  });

  verifies('MKT-06', 'rejects none, which has no git distribution', async () => {
    expect(await refusal(harness('harness: [none]'))).toMatchObject(
      refused(/cannot be a marketplace for none/),
    );
  });

  verifies('MKT-13', 'requires a separate repository for each of g, h and i', async () => {
    for (const alone of ['harness-g', 'harness-h', 'harness-i']) {
      expect(await refusal(harness(`harness: [${alone}]`))).toBeUndefined();
      for (const other of ['harness-a', alone === 'harness-i' ? 'harness-h' : 'harness-i']) {
        expect(await refusal(harness(`harness: [${other}, ${alone}]`))).toMatchObject(
          refused(/needs its own repository/),
        );
      }
    }
  });

  test('requires separate repositories for harnesses with the same list path', async () => {
    expect(await refusal(harness('harness: [harness-f, codex]'))).toMatchObject(
      refused(/harness-f and codex both keep their list in \.agents\/plugins\/marketplace\.json/),
    );
  });

  test('harness-g allows one plugin', async () => {
    const two = plugins('[{name: a, include: ["ops/**"]}, {name: b}]');
    const yaml = two.replace('[harness-a]', '[harness-g]');
    expect(await refusal(yaml)).toMatchObject(
      refused(/one plugin per repository, and there are 2/),
    );
  });

  test('rejects an unknown harness', async () => {
    expect(await refusal(harness('harness: [harness-z]'))).toMatchObject({
      code: 'config.unknown_harness',
    });
  });
});

verifies('CFG-07', 'a workflow command needs exactly one of run and sh', async () => {
  const commands = (text: string): string => targetOf(`    workflow: {prepare: [${text}]}\n`);
  expect(resolved(commands('{run: [a, b]}, {sh: a b, timeout: 5m}')).workflow.prepare).toEqual([
    {
      command: { run: ['a', 'b'] },
      skip_if_no_changes: false,
      continue_on_error: false,
      timeout_ms: undefined,
    },
    {
      command: { sh: 'a b' },
      skip_if_no_changes: false,
      continue_on_error: false,
      timeout_ms: 300_000,
    },
  ]);
  expect(await refusal(commands('{run: []}'))).toMatchObject(refused(/neither run nor sh/));
  expect(await refusal(commands('{run: [a], sh: a}'))).toMatchObject(refused(/both run and sh/));
});

verifies('ERR-25', 'a target with a field of the other target kind is rejected', async () => {
  const marketplace = ['profile: ci', 'include: [a]', 'exclude: [a]', 'type: [skill]'];
  for (const field of marketplace) {
    expect(await refusal(targetOf(`    ${field}\n`))).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(`cannot have ${field.split(':')[0]}`),
    });
  }
  const workspace = [
    'harnesses: [harness-a]',
    'plugins: []',
    'identity: X',
    'git: {remote: x}',
    'publish: {git: {remote: x}}',
    'commit_message: X',
    'description: X',
    'workflow: {}',
  ];
  for (const field of workspace) {
    expect(await refusal(`targets: [{id: mine, ${field}}]\n`)).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(`cannot have ${field.split(':')[0]}`),
    });
  }
});

verifies('ERR-26', 'rejects --watch for a marketplace', async () => {
  const place = createMarketplacePlace();
  place.configure(targetOf());
  const options = {
    poll: true,
    onRun: () => {},
    onFailedRun: () => {},
    onReady: () => {},
    onFallback: () => {},
    onNews: () => {},
  };
  const watching = watch(() => place.config(), options, new AbortController().signal);
  await expect(watching).rejects.toMatchObject(refused(/marketplaces cannot be watched/));
});
