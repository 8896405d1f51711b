import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import type { FallbackUse } from './planned.ts';
import { planWorkspace } from './plan.ts';
import { loadAdapter } from './registry.ts';

function rule(id: string, keys = '', prose = 'Not on Fridays.'): Artifact {
  const head = `---\ntype: rule\nversion: 1.0.0\ndescription: A rule.\n${keys}---\n`;
  return artifactOf(id, { 'ARTIFACT.md': `${head}${prose}\n` });
}

/** What the first of some harnesses is warned of. */
function warned(harnesses: readonly string[], ...artifacts: Artifact[]): FallbackUse[] {
  const requests = harnesses.map((id) => ({ adapter: loadAdapter(id), artifacts }));
  return planWorkspace(requests, { on_clash: 'fail' })[0]?.fallbacks ?? [];
}

test.each([
  ['claude-code', ' where no CLAUDE.md stands, in .claude/rules/no-friday.md'],
  ['cursor', ', in .cursor/rules/no-friday.mdc'],
  ['copilot', ', in .github/instructions/no-friday.instructions.md'],
  ['cline', ', in .clinerules/no-friday.md'],
  ['kiro', ', in .kiro/steering/no-friday.md'],
  ['antigravity', ', in .agents/rules/no-friday.md'],
])('%s is told of a rule it also reads in AGENTS.md', (harness, where) => {
  expect(warned([harness, 'codex'], rule('ops/no-friday'))).toEqual([
    {
      artifact_id: 'ops/no-friday',
      capability: 'rule_mode:always',
      reason: `${harness} reads it twice${where} and AGENTS.md, because another harness of this workspace has its rules there`,
    },
  ]);
  expect(warned([harness], rule('ops/no-friday'))).toEqual([]);
  // Copilot also reads GEMINI.md.
  const unseen = harness === 'copilot' ? 'cursor' : 'gemini-cli';
  expect(warned([harness, unseen], rule('ops/no-friday'))).toEqual([]);
});

test('a rule for some files is then in effect for all of them, and that is said', () => {
  const globs = rule('ops/no-friday', 'rule_mode: glob\nrule_globs: "infra/**"\n');
  expect(warned(['cursor', 'codex'], globs)[0]?.reason).toContain(
    'and AGENTS.md, which is loaded always, because',
  );
});

test('a rule that the other harness is not given is seen once', () => {
  const own = rule('ops/no-friday', 'target_harnesses: [cursor]\n');
  expect(warned(['cursor', 'codex'], own)).toEqual([]);
});

test('codex is told which rule goes beyond what it reads of AGENTS.md', () => {
  const half = 'x'.repeat(16_000);
  const rules = ['ops/one', 'ops/two', 'ops/three'].map((id) => rule(id, '', half));
  expect(warned(['codex'], ...rules.slice(0, 2))).toEqual([]);
  expect(warned(['codex'], ...rules)).toEqual([
    {
      artifact_id: 'ops/three',
      capability: 'rule_mode:always',
      reason:
        'codex reads the first 32 KiB of AGENTS.md, and with this rule catalog alone writes more, so the end of the file is not seen',
    },
  ]);
});
