import type { Artifact, RuleFallback } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { planWorkspace } from './plan.ts';
import type { Plan } from './planned.ts';
import { loadAdapter } from './registry.ts';

function rule(keys: string): Artifact {
  const head = `---\ntype: rule\nversion: 1.0.0\ndescription: "Keeps: calm."\n${keys}---\n`;
  return artifactOf('ops/tone', { 'ARTIFACT.md': `${head}Be calm.\n` });
}

const GLOB = rule('rule_mode: glob\nrule_globs: "infra/**, *.tf"\n');
const ALWAYS = rule('');

function plan(harness: string, artifact: Artifact, rule_fallback?: RuleFallback): Plan {
  const request = { adapter: loadAdapter(harness), artifacts: [artifact] };
  const requests = [rule_fallback === undefined ? request : { ...request, rule_fallback }];
  const [planned] = planWorkspace(requests, { on_clash: 'fail' });
  if (planned === undefined) throw new Error('one request makes one plan');
  return planned;
}

describe('rule with an unsupported mode', () => {
  test.each([undefined, 'always'] as const)(
    'is always loaded with rule_fallback %s',
    (fallback) => {
      expect(plan('codex', GLOB, fallback)).toMatchObject({
        files: [],
        entries: [{ path: 'AGENTS.md' }],
        fallbacks: [{ capability: 'rule_mode:glob' }],
      });
    },
  );

  test.each([
    [
      'rule_mode: glob\nrule_globs: "infra/**, *.tf"\n',
      'Keeps: calm. Use it when working with files that match infra/**, *.tf.',
    ],
    ['rule_mode: auto\nrule_description: For incident reports.\n', 'For incident reports.'],
    ['rule_mode: explicit\n', 'Keeps: calm. Use it only when the user asks for it.'],
  ])('becomes a skill with a description of when it applies: %j', (keys, description) => {
    const { files, entries, fallbacks } = plan('codex', rule(keys), 'skill');
    expect(entries).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual(['.agents/skills/tone/SKILL.md']);
    const text = new TextDecoder().decode(files[0]?.bytes);
    expect(text).toMatch(/^---\nname: tone\ndescription: /);
    expect(text).toContain(description);
    expect(text.endsWith('---\nBe calm.\n')).toBe(true);
    expect(fallbacks).toEqual([
      {
        artifact_id: 'ops/tone',
        capability: expect.stringMatching(/^rule_mode:/),
        reason: expect.stringContaining('so the rule is delivered as a skill'),
      },
    ]);
  });

  test('is skipped and reported with rule_fallback skip', () => {
    expect(plan('codex', GLOB, 'skip')).toEqual({
      files: [],
      entries: [],
      unsupported: [],
      fallbacks: [],
      left_out: [
        {
          artifact_id: 'ops/tone',
          reason: 'codex does not support the rule mode glob, and `rule_fallback` is `skip`',
          reported: true,
        },
      ],
    });
  });

  test('is always loaded if the harness does not support skills', () => {
    const codex = loadAdapter('codex');
    const capabilities = { ...codex.capabilities, 'type:skill': 'unsupported' } as const;
    const adapter = { ...codex, capabilities };
    const requests = [{ adapter, artifacts: [GLOB], rule_fallback: 'skill' }] as const;
    const [planned] = planWorkspace(requests, { on_clash: 'fail' });
    expect(planned?.entries).toMatchObject([{ path: 'AGENTS.md' }]);
  });
});

test.each(['skill', 'skip'] as const)(
  'keeps a rule with a supported mode with rule_fallback %s',
  (fallback) => {
    expect(plan('codex', ALWAYS, fallback).entries).toMatchObject([{ path: 'AGENTS.md' }]);
    expect(plan('cursor', GLOB, fallback).files).toMatchObject([
      { path: '.cursor/rules/tone.mdc' },
    ]);
  },
);
