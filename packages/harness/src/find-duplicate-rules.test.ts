import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import type { FallbackUse } from './planned.ts';
import { planWorkspace } from './plan.ts';
import { adapters, loadAdapter } from './registry.ts';

function rule(id: string, keys = '', prose = 'Not on Fridays.'): Artifact {
  const head = `---\ntype: rule\nversion: 1.0.0\ndescription: A rule.\n${keys}---\n`;
  return artifactOf(id, { 'ARTIFACT.md': `${head}${prose}\n` });
}

function warned(harnesses: readonly string[], ...artifacts: Artifact[]): FallbackUse[] {
  const requests = harnesses.map((id) => ({ adapter: loadAdapter(id), artifacts }));
  return planWorkspace(requests, { on_clash: 'fail' })[0]?.fallbacks ?? [];
}

function paths(harnesses: readonly string[], ...artifacts: Artifact[]): string[] {
  const requests = harnesses.map((id) => ({ adapter: loadAdapter(id), artifacts }));
  const [plan] = planWorkspace(requests, { on_clash: 'fail' });
  return plan?.files.map(({ path }) => path) ?? [];
}

const READERS = [
  ['cursor', '.cursor/rules/no-friday.mdc'],
  ['copilot', '.github/instructions/no-friday.instructions.md'],
  ['cline', '.clinerules/no-friday.md'],
  ['kiro', '.kiro/steering/no-friday.md'],
  ['antigravity', '.agents/rules/no-friday.md'],
  ['devin', '.devin/rules/no-friday.md'],
  ['continue', '.continue/rules/no-friday.md'],
  ['qwen', '.qwen/rules/no-friday.md'],
] as const;

test.each(READERS)('%s reads a rule in AGENTS.md instead of its own file', (harness, own) => {
  expect(paths([harness, 'codex'], rule('ops/no-friday'))).toEqual([]);
  expect(warned([harness, 'codex'], rule('ops/no-friday'))).toEqual([]);
  expect(paths([harness], rule('ops/no-friday'))).toEqual([own]);
  expect(paths([harness, 'gemini-cli'], rule('ops/no-friday'))).toEqual([own]);
});

test('claude-code imports AGENTS.md instead of writing rules again', () => {
  const artifacts = [rule('ops/no-friday'), rule('ops/short')];
  const requests = ['claude-code', 'codex'].map((id) => ({ adapter: loadAdapter(id), artifacts }));
  const [claude] = planWorkspace(requests, { on_clash: 'fail' });
  expect(claude).toMatchObject({
    files: [],
    entries: [{ path: 'CLAUDE.md', entry: { shape: 'block', value: '@AGENTS.md' } }],
    fallbacks: [],
  });
  expect(paths(['claude-code'], ...artifacts)).toEqual([
    '.claude/rules/no-friday.md',
    '.claude/rules/short.md',
  ]);
});

test('claude-code keeps its own files next to a CLAUDE.md of the user', () => {
  const artifacts = [rule('ops/no-friday')];
  const requests = ['claude-code', 'codex'].map((id) => ({ adapter: loadAdapter(id), artifacts }));
  const rules_imports = new Map([['CLAUDE.md', 'own']] as const);
  const [claude] = planWorkspace(requests, { on_clash: 'fail', rules_imports });
  expect(claude).toMatchObject({
    files: [{ path: '.claude/rules/no-friday.md' }],
    entries: [],
    fallbacks: [],
  });
});

test('claude-code needs no import if CLAUDE.md is a link to AGENTS.md', () => {
  const artifacts = [rule('ops/no-friday')];
  const requests = ['claude-code', 'codex'].map((id) => ({ adapter: loadAdapter(id), artifacts }));
  const rules_imports = new Map([['CLAUDE.md', 'linked']] as const);
  const [claude] = planWorkspace(requests, { on_clash: 'fail', rules_imports });
  expect(claude).toMatchObject({ files: [], entries: [], fallbacks: [] });
});

test('gemini-cli imports AGENTS.md only if another product also reads GEMINI.md', () => {
  const artifacts = [rule('ops/no-friday')];
  const blockOf = (...harnesses: string[]): unknown => {
    const requests = harnesses.map((id) => ({ adapter: loadAdapter(id), artifacts }));
    return planWorkspace(requests, { on_clash: 'fail' })[0]?.entries[0]?.entry.value;
  };
  expect(blockOf('gemini-cli', 'codex')).toBe('Not on Fridays.\n');
  expect(blockOf('gemini-cli', 'copilot')).toBe('Not on Fridays.\n');
  expect(blockOf('gemini-cli', 'codex', 'copilot')).toBe('@AGENTS.md');
});

test('warns once about a rule that a product reads in the files of several others', () => {
  expect(warned(['copilot', 'claude-code', 'gemini-cli'], rule('ops/no-friday'))).toEqual([
    {
      artifact_id: 'ops/no-friday',
      capability: 'rule_mode:always',
      reason:
        'copilot loads it 3 times, from .github/instructions/no-friday.instructions.md and .claude/rules/no-friday.md and GEMINI.md, because other harnesses of this workspace have their rules there',
    },
  ]);
  const harnesses = ['copilot', 'claude-code', 'gemini-cli', 'codex'];
  expect(warned(harnesses, rule('ops/no-friday'))).toEqual([]);
});

test('claude-code uses a private import next to copilot, which also follows imports', () => {
  const artifacts = [rule('ops/no-friday')];
  const importOf = (...harnesses: string[]): unknown => {
    const requests = harnesses.map((id) => ({ adapter: loadAdapter(id), artifacts }));
    return planWorkspace(requests, { on_clash: 'fail' })[0]?.entries[0]?.entry.value;
  };
  expect(importOf('claude-code', 'codex', 'copilot')).toBe('@AGENTS.md#rules');
  expect(importOf('claude-code', 'codex')).toBe('@AGENTS.md');
});

const GLOBS = 'rule_mode: glob\nrule_globs: "infra/**"\n';

test.each(['cursor', 'copilot', 'claude-code'])(
  'with the rule in AGENTS.md, %s always loads a rule for some files, and sync warns',
  (harness) => {
    const artifacts = [rule('ops/no-friday', GLOBS)];
    const requests = [harness, 'codex'].map((id) => ({
      adapter: loadAdapter(id),
      artifacts,
      rule_fallback: 'always' as const,
    }));
    const [plan] = planWorkspace(requests, { on_clash: 'fail' });
    expect(plan?.files).toEqual([]);
    expect(plan?.fallbacks).toEqual([
      {
        artifact_id: 'ops/no-friday',
        capability: 'rule_mode:glob',
        reason: `${harness} always loads it, from AGENTS.md, because another harness of this workspace cannot limit it to some files; \`rule_fallback: skill\` keeps the limit`,
      },
    ]);
  },
);

/** Without `none`, which keeps artifacts unchanged. */
const ALL = [...adapters.values()].filter(
  ({ id, capabilities }) => id !== 'none' && capabilities['rule_mode:always'] !== 'unsupported',
);
const MODES = [
  ['glob', GLOBS],
  ['auto', 'rule_mode: auto\nrule_description: When you deploy.\n'],
  ['explicit', 'rule_mode: explicit\n'],
] as const;

describe.each(MODES)('rule with mode %s', (mode, keys) => {
  const scoped = ALL.filter(({ capabilities }) => capabilities[`rule_mode:${mode}`] === 'native');

  test.each(scoped)('keeps its scope in $id if any other harness is added', (adapter) => {
    const artifacts = [rule('ops/no-friday', keys)];
    const alone = planWorkspace([{ adapter, artifacts }], { on_clash: 'fail' })[0];
    expect(alone?.files).toHaveLength(1);
    for (const other of ALL.filter((one) => one !== adapter)) {
      const requests = [adapter, other].map((each) => ({ adapter: each, artifacts }));
      const [own, second] = planWorkspace(requests, { on_clash: 'fail' });
      expect(own?.files, other.id).toEqual(alone?.files);
      expect([...(own?.entries ?? []), ...(second?.entries ?? [])], other.id).toEqual([]);
    }
  });
});

test('warns about a rule written as a skill if the other harness also reads the skill', () => {
  expect(warned(['cursor', 'codex'], rule('ops/no-friday', GLOBS))).toEqual([
    {
      artifact_id: 'ops/no-friday',
      capability: 'rule_mode:glob',
      reason:
        'cursor loads it as a rule, from .cursor/rules/no-friday.mdc, and lists it as a skill, from .agents/skills/no-friday/SKILL.md, because another harness of this workspace reads skills there and does not support the mode of the rule',
    },
  ]);
  expect(warned(['claude-code', 'codex'], rule('ops/no-friday', GLOBS))).toEqual([]);
});

test('qualifies a rule written as a skill if a skill has its name', () => {
  const skill = artifactOf('dev/no-friday', {
    'SKILL.md': '---\nname: no-friday\ndescription: Plan a week.\n---\nPlan.\n',
  });
  const artifacts = [rule('ops/no-friday', GLOBS), skill];
  const requests = ['claude-code', 'codex'].map((id) => ({ adapter: loadAdapter(id), artifacts }));
  const [, codex] = planWorkspace(requests, { on_clash: 'fail' });
  expect(codex?.files.map(({ path }) => path)).toEqual([
    '.agents/skills/ops-no-friday/SKILL.md',
    '.agents/skills/no-friday/SKILL.md',
  ]);
});

test('treats a workspace with unplanned targets as shared', () => {
  const request = {
    adapter: loadAdapter('codex'),
    artifacts: [rule('ops/no-friday', GLOBS)],
  };
  const options = { on_clash: 'fail', has_other_targets: true } as const;
  expect(planWorkspace([request], options)[0]?.entries).toEqual([]);
});

test.each([
  ['always', undefined, 1],
  ['skill', undefined, 0],
  ['always', 'skill', 0],
  ['skill', 'always', 1],
] as const)(
  'applies rule_fallback %s of a rule with the setting %s',
  (authored, rule_fallback, blocks) => {
    const artifacts = [rule('ops/no-friday', `${GLOBS}rule_fallback: ${authored}\n`)];
    for (const harnesses of [['codex'], ['codex', 'claude-code']]) {
      const requests = harnesses.map((id) => ({
        adapter: loadAdapter(id),
        artifacts,
        rule_fallback,
      }));
      const [codex] = planWorkspace(requests, { on_clash: 'fail' });
      expect(codex?.entries).toHaveLength(blocks);
    }
  },
);

test.each(['skill', 'skip', undefined] as const)(
  'keeps the scope of a rule for every harness with rule_fallback %s',
  (rule_fallback) => {
    const artifacts = [rule('ops/no-friday', GLOBS)];
    const requests = ['cursor', 'claude-code', 'codex'].map((id) => ({
      adapter: loadAdapter(id),
      artifacts,
      rule_fallback,
    }));
    const [cursor, claude, codex] = planWorkspace(requests, { on_clash: 'fail' });
    expect(cursor).toMatchObject({
      files: [{ path: '.cursor/rules/no-friday.mdc' }],
    });
    expect(claude).toMatchObject({
      files: [{ path: '.claude/rules/no-friday.md' }],
      fallbacks: [],
    });
    expect(codex?.entries).toEqual([]);
  },
);

test('does not warn about a rule that the other harness does not receive', () => {
  const own = rule('ops/no-friday', 'target_harnesses: [cursor]\n');
  expect(warned(['cursor', 'codex'], own)).toEqual([]);
});

test('writes one rule or block that references a context artifact', () => {
  const terms = artifactOf('ops/terms', {
    'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\ndescription: Our @words.\n---\nWords.\n',
  });
  const file = '.catalog/context/ops/terms/ARTIFACT.md';
  expect(paths(['cursor'], terms)).toEqual([file, '.cursor/rules/context-terms.mdc']);
  expect(paths(['cursor', 'codex'], terms)).toEqual([]);
  expect(paths(['harness-a'], terms)).toEqual([file]);
  const requests = [{ adapter: loadAdapter('codex'), artifacts: [terms] }];
  const [plan] = planWorkspace(requests, { on_clash: 'fail' });
  expect(plan?.files.map(({ path }) => path)).toEqual([file]);
  expect(plan?.entries).toMatchObject([
    {
      path: 'AGENTS.md',
      entry: { value: `Read \`${file}\` when you need it. It holds: Our words.\n` },
    },
  ]);
});

test('warns about the rule that exceeds the part of AGENTS.md that codex reads', () => {
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

test('warns that cursor also runs a hook of Claude Code only if the user enabled that', () => {
  const head = '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: "true"\n---\n';
  const hook = artifactOf('ops/guard', { 'ARTIFACT.md': head });
  expect(warned(['cursor', 'claude-code'], hook).map(({ reason }) => reason)).toEqual([
    'cursor runs it twice if third-party plugins, skills and other configs are included in its settings, because it also reads .claude/settings.json, where another harness of this workspace has it',
  ]);
  expect(warned(['cursor', 'codex'], hook)).toEqual([]);
  expect(warned(['claude-code', 'cursor'], hook)).toEqual([]);
});
