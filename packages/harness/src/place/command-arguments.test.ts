import { artifactOf } from '@catalog/testkit/authored-package';
import type { Artifact } from '@catalog/core/artifact/types';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { loadAdapter } from '../registry.ts';
import { argumentWarning, convertArguments } from './command-arguments.ts';

function command(body: string): Artifact {
  return artifactOf('ops/ship', {
    'ARTIFACT.md': `---\ntype: command\nversion: 1.0.0\n---\n${body}`,
  });
}

const form = { all: '{{args}}', position: (n: number): string => `$${n - 1}` };

describe('convertArguments', () => {
  test.each([
    ['Ship $ARGUMENTS.', 'Ship {{args}}.'],
    ['$1 then $2, "$9"', '$0 then $1, "$8"'],
    ['$ARGUMENTS_FILE and $ARGUMENTSX', '$ARGUMENTS_FILE and $ARGUMENTSX'],
    ['costs $100, $5.99 or $1,000', 'costs $100, $5.99 or $1,000'],
    ['$1.', '$0.'],
    ['$0 and $HOME', '$0 and $HOME'],
    // `!{...}` runs a shell command, and `@{...}` includes a file.
    ['Do it!$ARGUMENTS', 'Do it! {{args}}'],
    ['!$ARGUMENTS', '! {{args}}'],
    ['@$ARGUMENTS', '@ {{args}}'],
    ['!$1', '!$0'],
  ])('converts %j to %j', (body, expected) => {
    expect(convertArguments(command(body), form).body).toBe(expected);
  });

  test('escapes amounts of money for a product that replaces every number after a dollar sign', () => {
    const own = { all: '$ARGUMENTS', position: (n: number): string => `$${n}`, amount: '$ ' };
    const artifact = command('Pay $5.99, $100, $1,000 or $0 for $1 and $ARGUMENTS.');
    expect(convertArguments(artifact, own).body).toBe(
      'Pay $ 5.99, $ 100, $ 1,000 or $ 0 for $1 and $ARGUMENTS.',
    );
    expect(argumentWarning(artifact, own)).toBe(
      'every number after a dollar sign is an argument, so an amount is written as "$ 5"',
    );
    expect(argumentWarning(command('$1 and $ARGUMENTS'), own)).toBeUndefined();
  });

  test('keeps unsupported placeholders and reports each of them once', () => {
    const artifact = command('Tag $1 and $2, then $1. All: $ARGUMENTS.');
    expect(convertArguments(artifact, { all: '{{args}}' }).body).toBe(
      'Tag $1 and $2, then $1. All: {{args}}.',
    );
    expect(argumentWarning(artifact, { all: '{{args}}' })).toBe(
      'the harness has no placeholder for $1, $2, so the prompt contains it unchanged',
    );
    expect(argumentWarning(artifact, {})).toContain('$1, $2, $ARGUMENTS');
    expect(argumentWarning(artifact, form)).toBeUndefined();
  });
});

describe('text that looks like a placeholder', () => {
  function plan(harness: string, body: string): Plan {
    const manifest = `---\ntype: command\nversion: 1.0.0\ndescription: Ships.\n---\n${body}\n`;
    const artifact = artifactOf('ops/ship', { 'ARTIFACT.md': manifest });
    return planArtifacts([artifact], loadAdapter(harness), { on_clash: 'fail' });
  }

  test.each([
    ['pi', 'Pay $5.99 for $1 with $@.', 'Pay $ 5.99 for $1 with $ @.'],
    ['pi', 'All from the second: ${@:2}.', 'All from the second: $ {@:2}.'],
    ['pi', 'The port is ${1:-8080}.', 'The port is $ {1:-8080}.'],
    ['gemini-cli', 'Explain {{args}} for $ARGUMENTS.', 'Explain {{ args }} for {{args}}.'],
    ['qwen', 'Explain {{args}} for $ARGUMENTS.', 'Explain {{ args }} for {{args}}.'],
  ])('is escaped for %s from %j to %j, with a warning', (harness, authored, written) => {
    const { files, fallbacks } = plan(harness, authored);
    expect(new TextDecoder().decode(files[0]?.bytes)).toContain(written);
    expect(fallbacks).toHaveLength(1);
  });

  test.each([
    [
      'gemini-cli',
      'State:\n!`git status`',
      ['the command !`git status` does not run and stays in the prompt'],
    ],
    [
      'qwen',
      'Read @README.md.',
      ['@README.md stays in the prompt, without the content of the file'],
    ],
    [
      'copilot',
      'State: !`git status`',
      ['the command !`git status` does not run and stays in the prompt'],
    ],
    ['pi', 'Read @docs/a.md.', ['@docs/a.md stays in the prompt, without the content of the file']],
    ['opencode', 'Read @README.md and !`git status`.', []],
    ['gemini-cli', 'Mail me@example.com, use `@types/node`, or say "Stop!`x`".', []],
  ])(
    '%s reports inline commands and files that it does not expand in %j',
    (harness, authored, reasons) => {
      expect(plan(harness, authored).fallbacks.map(({ reason }) => reason)).toEqual(reasons);
    },
  );
});
