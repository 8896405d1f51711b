import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandShim } from './command-shim.ts';
import { claudeCodeHooks } from '../adapters/claude-code/hook-shim.ts';
import { codexHooks } from '../adapters/codex/hook-shim.ts';
import { copilotHooks } from '../adapters/copilot/hook-shim.ts';
import { cursorHooks } from '../adapters/cursor/hook-shim.ts';
import { devinHooks } from '../adapters/devin/hook-shim.ts';
import { droidHooks } from '../adapters/droid/hook-shim.ts';
import { geminiCliHooks } from '../adapters/gemini-cli/hook-shim.ts';
import { hermesHooks } from '../adapters/hermes/hook-shim.ts';
import { qwenHooks } from '../adapters/qwen/hook-shim.ts';
import type { ShimProduct } from './shim-product.ts';

const hook = artifactOf('ops/+é/guard', {
  'ARTIFACT.md': '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: "true"\n---\n',
});

const PIECES = [
  ...Array.from('\'"`\\\n\t $|*?~#!\u2028éa'),
  ..."$$ ${HOME} >bad {a,b} %HOME% %s */ </script> '\\'' $'\\n' -e \\0 😀".split(' '),
  '\r\n',
  '$(touch bad)',
  '`touch bad`',
  '; touch bad',
  '&& touch bad',
];
const commands = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''));

const PRINT_ARGUMENTS = '#!/bin/sh\nshift\nprintf "%s\\0" "$@"\n';

const shells = ['dash', 'bash'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

test.each<ShimProduct>([
  claudeCodeHooks,
  codexHooks,
  copilotHooks,
  cursorHooks,
  devinHooks,
  droidHooks,
  geminiCliHooks,
  hermesHooks,
  qwenHooks,
])('$title: passes any command to the script as one word without expansion', (product) => {
  const root = temporaryFolder(`catalog it's "a" $(touch bad) \`test\`-`);
  writeTree(root, { 'bin/node': PRINT_ARGUMENTS, [`.catalog/hooks/${product.id}.mjs`]: '' });
  chmodSync(`${root}/bin/node`, 0o755);
  const env = { PATH: `${root}/bin:${process.env['PATH']}`, HOME: root };
  const folders = { CLAUDE_PROJECT_DIR: root, FACTORY_PROJECT_DIR: root, DEVIN_PROJECT_DIR: root };
  const samples = fc.sample(commands, { numRuns: 25, seed: 7 });
  for (const at of ['workspace', 'home'] as const) {
    const shim = commandShim(product, at);
    const lines = samples.map((command) => {
      const shimInput = {
        artifact: hook,
        event: 'stop',
        native: { event: 'Stop' },
        timeout: 9,
      } as const;
      return shim({ ...shimInput, command }).command;
    });
    const expected = samples.flatMap((command) => ['stop', hook.id, command, '9']);
    for (const shell of shells) {
      const script = lines.join('\n');
      const { stdout } = spawnSync(shell, ['-c', script], {
        cwd: root,
        env: { ...env, ...folders },
        encoding: 'utf8',
      });
      expect(stdout.split('\0').slice(0, -1), `${shell}, ${at}`).toEqual(expected);
    }
  }
  expect(existsSync(`${root}/bad`)).toBe(false);
});
