import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { HarnessAdapter } from './adapter.ts';
import { harnessA } from './adapters/harness-a/index.ts';
import { none } from './adapters/none/index.ts';
import { capabilityTable } from './capability-table.ts';
import { defineHarness } from './define-harness.ts';
import { planArtifacts, planWorkspace } from './plan.ts';
import type { Plan } from './planned.ts';

function command(id: string, keys = ''): Artifact {
  return artifactOf(id, {
    'ARTIFACT.md': `---\ntype: command\nversion: 1.0.0\n${keys}---\nDo it.\n`,
  });
}

function skill(id: string): Artifact {
  const name = id.slice(id.lastIndexOf('/') + 1);
  return artifactOf(id, {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': `---\nname: ${name}\ndescription: D.\n---\nProse.\n`,
    'scripts/a.sh': 'true\n',
  });
}

function server(id: string, name = ''): Artifact {
  const line = name === '' ? '' : `name: ${name}\n`;
  return artifactOf(id, {
    'ARTIFACT.md': `---\ntype: mcp-server\nversion: 1.0.0\n${line}server_identifier: x\n---\n`,
  });
}

function paths(artifacts: readonly Artifact[], on_clash: 'fail' | 'qualify' = 'fail'): string[] {
  return planArtifacts(artifacts, harnessA, { on_clash }).files.map(({ path }) => path);
}

function refusal(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter = harnessA,
  on_clash: 'fail' | 'qualify' = 'fail',
): CatalogError {
  try {
    planArtifacts(artifacts, adapter, { on_clash });
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('selection by target_harnesses', () => {
  verifies(
    ['DELIV-09', 'FM-10'],
    'skips an artifact for other harnesses without an error, and keeps one for this harness',
    () => {
      const plan = planArtifacts(
        [
          command('a', 'target_harnesses: [harness-b]\n'),
          command('b', 'target_harnesses: [harness-b, harness-a]\n'),
          command('c', 'target_harnesses: []\n'),
        ],
        harnessA,
        { on_clash: 'fail' },
      );
      expect(plan.files.map(({ artifact_id }) => artifact_id)).toEqual(['b', 'c']);
      expect(plan.left_out).toEqual([
        { artifact_id: 'a', reason: 'target_harnesses names only harness-b' },
      ]);
      expect(plan.unsupported).toEqual([]);
    },
  );

  test('selects a profile by its id and by its neutral label', () => {
    const profile = { ...harnessA, id: 'brand', label: 'harness-a' };
    for (const name of ['brand', 'harness-a']) {
      const plan = planArtifacts([command('a', `target_harnesses: [${name}]\n`)], profile, {
        on_clash: 'fail',
      });
      expect(plan.left_out).toEqual([]);
    }
  });

  test('reports an unsupported artifact with all unsupported capabilities', () => {
    const poor: HarnessAdapter = {
      ...harnessA,
      id: 'poor',
      capabilities: capabilityTable({
        types: 'native',
        fields: 'unsupported',
        rule_modes: 'unsupported',
        hook_events: 'native',
      }),
    };
    const agent = artifactOf('a', {
      'ARTIFACT.md':
        '---\ntype: agent\nversion: 1.0.0\ndescription: D.\ndelegates_to: [b]\n---\nProse.\n',
    });
    const rule = artifactOf('r', {
      'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\n---\nProse.\n',
    });
    const plan = planArtifacts([agent, rule, command('c')], poor, { on_clash: 'fail' });
    expect(plan.unsupported).toEqual([
      {
        artifact_id: 'a',
        harness: 'poor',
        capabilities: ['field:description', 'field:delegates_to'],
        reason: 'poor does not support field description, field delegates_to',
      },
      {
        artifact_id: 'r',
        harness: 'poor',
        capabilities: ['rule_mode:always'],
        reason: 'poor does not support rule_mode always',
      },
    ]);
    expect(plan.files.map(({ artifact_id }) => artifact_id)).toEqual(['c']);
  });
});

describe('clashes of two artifacts', () => {
  test('are rejected before anything is written, with both ids and the next steps', () => {
    const error = refusal([skill('ops/deploy/check'), skill('web/check')]);
    expect(error.code).toBe('materialize.clash');
    expect(error.message).toContain('ops/deploy/check and web/check');
    expect(error.message).toContain('.harness-a/skills/check/SKILL.md');
    expect(error.details).toEqual({
      clashes: [
        {
          path: '.harness-a/skills/check/SKILL.md',
          existing: 'ops/deploy/check',
          incoming: 'web/check',
        },
      ],
    });
    for (const way of ['Rename', '--exclude <id>', '--on-clash qualify']) {
      expect(error.suggested_action).toContain(way);
    }
  });

  test('are counted after the first ten', () => {
    const many = Array.from({ length: 14 }, (_, index) => command(`d${index}/x`));
    const error = refusal(many);
    expect(error.message).toContain('and 3 more');
    expect(error.details['clashes']).toHaveLength(13);
  });

  test.each([
    ['only in case', 'a/Check', 'b/check'],
    ['only in how accents are composed', 'a/\u00e9', 'b/e\u0301'],
  ])('are detected if names differ %s', (_, one, other) => {
    expect(refusal([command(one), command(other)]).code).toBe('materialize.clash');
  });

  test('are detected between a file and a directory', () => {
    const outer = artifactOf('ops', {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\n---\n',
      deploy: 'a file',
    });
    const error = refusal([command('aa'), outer, command('ops/deploy/check')], none);
    expect(error.message).toContain('ops and ops/deploy/check both want ops/deploy');
    expect(refusal([command('ops/deploy/check'), outer, command('z')], none).message).toContain(
      'ops and ops/deploy/check both want ops/deploy',
    );
  });

  test('are detected between two files of one artifact', () => {
    const own = artifactOf('ops', {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\n---\n',
      'a.txt': '1',
      'A.txt': '2',
    });
    expect(refusal([own], none, 'qualify').message).toContain('ops wants ops/a.txt twice');
  });

  test('are detected between names in a shared map', () => {
    const error = refusal([server('a/wh'), server('b/other', 'wh')]);
    expect(error.message).toContain('a/wh and b/other both want .mcp.json: mcpServers.wh');
  });

  test('are detected between a file and merged entries', () => {
    const greedy: HarnessAdapter = {
      ...harnessA,
      place: {
        ...harnessA.place,
        command: () => [
          { kind: 'write', path: '.MCP.json', bytes: new Uint8Array(), executable: false },
        ],
      },
    };
    expect(refusal([server('a/wh'), command('b')], greedy).message).toContain(
      'a/wh and b both want .mcp.json',
    );
  });

  test('are detected between a file and merged entries with different case', () => {
    const entry = { shape: 'block', container: [], key: 'a', value: 'Do it.' } as const;
    const greedy: HarnessAdapter = {
      ...harnessA,
      place: {
        ...harnessA.place,
        command: () => [
          { kind: 'write', path: 'AGENTS.md', bytes: new Uint8Array(), executable: false },
        ],
        'mcp-server': ({ id }) => [
          {
            kind: 'merge',
            path: 'AGENTS.md',
            entry: { ...entry, artifact_id: id, recorded: 'file' },
          },
        ],
      },
    };
    expect(refusal([server('a/wh'), command('b')], greedy).message).toContain(
      'a/wh and b both want AGENTS.md',
    );
  });
});

describe('on_clash: qualify', () => {
  test('adds the domain only to clashing artifacts', () => {
    const artifacts = [skill('ops/deploy/check'), skill('web/check'), skill('web/other')];
    expect(paths(artifacts, 'qualify')).toEqual([
      '.harness-a/skills/ops-deploy-check/SKILL.md',
      '.harness-a/skills/ops-deploy-check/scripts/a.sh',
      '.harness-a/skills/web-check/SKILL.md',
      '.harness-a/skills/web-check/scripts/a.sh',
      '.harness-a/skills/other/SKILL.md',
      '.harness-a/skills/other/scripts/a.sh',
    ]);
    expect(paths([skill('ops/check')], 'qualify')[0]).toBe('.harness-a/skills/check/SKILL.md');
  });

  test('changes the name inside a skill with its directory name', () => {
    const { files } = planArtifacts([skill('ops/check'), skill('web/check')], harnessA, {
      on_clash: 'qualify',
    });
    expect(new TextDecoder().decode(files[0]?.bytes)).toContain('\nname: ops-check\n');
  });

  test('keeps the name of an artifact without a domain', () => {
    expect(paths([command('check'), command('web/check')], 'qualify')).toEqual([
      '.harness-a/commands/check.md',
      '.harness-a/commands/web-check.md',
    ]);
  });

  test('qualifies an artifact that clashes with a qualified name', () => {
    expect(paths([command('a/b'), command('c/b'), command('x/a-b')], 'qualify')).toEqual([
      '.harness-a/commands/a-b.md',
      '.harness-a/commands/c-b.md',
      '.harness-a/commands/x-a-b.md',
    ]);
  });

  test('qualifies names in shared maps', () => {
    const { entries } = planArtifacts([server('a/one', 'wh'), server('b/two', 'wh')], harnessA, {
      on_clash: 'qualify',
    });
    expect(entries.map(({ entry }) => entry.key)).toEqual(['a-wh', 'b-wh']);
  });

  test('rejects clashes of qualified names without suggesting on_clash', () => {
    const error = refusal(
      [command('a/b-c'), command('a-b/c'), command('x/c'), command('y/b-c')],
      harnessA,
      'qualify',
    );
    expect(error.message).toContain('a-b/c and a/b-c both want .harness-a/commands/a-b-c.md');
    expect(error.suggested_action).not.toContain('qualify');
    expect(refusal([command('Ops/x'), command('ops/x')], none, 'qualify').code).toBe(
      'materialize.clash',
    );
  });

  test('gives the same result for any order of artifacts', () => {
    const artifacts = ['a/b', 'c/b', 'x/a-b', 'b', 'd/e', 'e/d'].map((id) => command(id));
    const expected = paths(artifacts, 'qualify').sort();
    fc.assert(
      fc.property(fc.shuffledSubarray(artifacts, { minLength: artifacts.length }), (shuffled) => {
        expect(paths(shuffled, 'qualify').sort()).toEqual(expected);
      }),
    );
  });
});

describe('unsafe paths', () => {
  test.each([
    ['.git/hooks', 'belongs to version control'],
    ['.claude/hooks', 'starts with a dot'],
    ['ops/.ssh', 'starts with a dot'],
    ['ops/../../etc', 'contains the segment ..'],
    ['/etc', 'is absolute'],
    ['ops\\x', 'contains a backslash'],
    ['con', 'Windows reserves'],
    ['a\u202eb', 'invisible'],
  ])('are rejected in the id %s', (id, problem) => {
    for (const adapter of [none, harnessA]) {
      const error = refusal([{ ...command('ok'), id }], adapter);
      expect(error.code).toBe('materialize.target_invalid');
      expect(error.message).toContain(problem);
    }
  });

  test('are rejected if they are longer than 1024 bytes', () => {
    const id = `${'x/'.repeat(2047)}ab`;
    expect(refusal([{ ...command('ok'), id }], none).message).toContain('longer than 1024 bytes');
  });

  test('are rejected in bundled files outside the artifact', () => {
    const hostile = {
      ...skill('ops/check'),
      resources: [{ path: '../../../x', bytes: new Uint8Array(), executable: false }],
    };
    expect(refusal([hostile]).message).toContain('contains the segment ..');
  });
});

function reader(id: string, folders: string[], rules: string): HarnessAdapter {
  const refused = { refused: 'it is of no interest here' };
  return defineHarness({
    id,
    summary: id,
    revision: 1,
    detect: [],
    skill: { folders },
    agent: refused,
    command: refused,
    rule: {
      into: 'block',
      path: rules,
      modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
    },
    hook: refused,
    mcp_server: refused,
    fields: 'native',
  });
}

describe('planWorkspace with several harnesses', () => {
  const one = reader('one', ['.one/skills'], 'AGENTS.md');
  const two = reader('two', ['.two/skills', '.agents/skills'], 'AGENTS.md');
  const both = reader('both', ['.both/skills', '.agents/skills', '.one/skills'], 'AGENTS.md');

  function skillPaths(
    adapters: readonly HarnessAdapter[],
    artifacts: readonly Artifact[],
  ): string[][] {
    const plans = planWorkspace(
      adapters.map((adapter) => ({ adapter, artifacts })),
      { on_clash: 'fail' },
    );
    return plans.map(({ files }) =>
      files.map(({ path }) => path).filter((path) => path.endsWith('SKILL.md')),
    );
  }

  test('writes a skill and its files once to a directory that most harnesses read', () => {
    expect(skillPaths([one, two, both], [skill('ops/check')])).toEqual([
      ['.one/skills/check/SKILL.md'],
      ['.two/skills/check/SKILL.md'],
      ['.one/skills/check/SKILL.md'],
    ]);
    expect(skillPaths([two, both], [skill('ops/check')])).toEqual([
      ['.agents/skills/check/SKILL.md'],
      ['.agents/skills/check/SKILL.md'],
    ]);
  });

  test('places a skill only for the harnesses that receive it', () => {
    const artifacts = [skill('ops/check'), skill('ops/deploy')];
    const [, second] = planWorkspace(
      [
        { adapter: one, artifacts: artifacts.slice(0, 1) },
        { adapter: both, artifacts },
      ],
      { on_clash: 'fail' },
    );
    expect(second?.files.map(({ path }) => path).filter((path) => path.endsWith('.md'))).toEqual([
      '.one/skills/check/SKILL.md',
      '.both/skills/deploy/SKILL.md',
    ]);
  });

  test('writes a skill for one harness to a directory that the other does not read', () => {
    const only = artifactOf('ops/check', {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\ntarget_harnesses: [shared]\n---\n',
      'SKILL.md': '---\nname: check\ndescription: D.\n---\nDo.\n',
    });
    const shared = reader('shared', ['.agents/skills', '.shared/skills'], 'AGENTS.md');
    expect(skillPaths([shared, two], [only])).toEqual([['.shared/skills/check/SKILL.md'], []]);
  });

  test('warns if a harness unavoidably finds a skill twice', () => {
    const agents = reader('agents', ['.agents/skills'], 'AGENTS.md');
    const plans = planWorkspace(
      [one, agents, both].map((adapter) => ({ adapter, artifacts: [skill('ops/check')] })),
      { on_clash: 'fail' },
    );
    expect(plans.map(({ fallbacks }) => fallbacks.length)).toEqual([0, 0, 1]);
    expect(plans[2]?.fallbacks[0]?.reason).toContain('.agents/skills and .one/skills');
  });

  test('keeps the place and the name of a skill of another target', () => {
    const plan = (artifacts: readonly Artifact[], place: string): Plan | undefined =>
      planWorkspace(
        [{ adapter: one, artifacts }],
        { on_clash: 'qualify' },
        new Map([['ops/check', [place]]]),
      )[0];
    const check = skill('ops/check');
    const qualified = plan([check], '.one/skills/ops-check');
    expect(qualified?.files[0]?.path).toBe('.one/skills/ops-check/SKILL.md');
    expect(qualified?.fallbacks).toEqual([]);
    const renamed = plan([check, skill('web/check')], '.one/skills/check');
    expect(renamed?.files[0]?.path).toBe('.one/skills/ops-check/SKILL.md');
    expect(renamed?.fallbacks.map(({ reason }) => reason)).toEqual([
      'one loads it twice, from .one/skills/ops-check and .one/skills/check, until you sync the target that still uses the other name',
    ]);
  });

  test('accepts one rule of two harnesses in a shared file', () => {
    const rule = artifactOf('ops/tidy', {
      'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\n---\nBe tidy.\n',
    });
    const plans = planWorkspace(
      [one, two].map((adapter) => ({ adapter, artifacts: [rule] })),
      { on_clash: 'fail' },
    );
    expect(plans.map(({ entries }) => entries.length)).toEqual([1, 1]);
    expect(plans[0]?.entries[0]?.entry).toEqual(plans[1]?.entries[0]?.entry);
  });

  test('reports or qualifies clashing artifacts of two targets', () => {
    const requests = [
      { adapter: both, artifacts: [skill('ops/check')] },
      { adapter: { ...both, id: 'other' }, artifacts: [skill('web/check')] },
    ];
    expect(() => planWorkspace(requests, { on_clash: 'fail' })).toThrow(
      'ops/check and web/check both want .both/skills/check/SKILL.md',
    );
    const plans = planWorkspace(requests, { on_clash: 'qualify' });
    expect(plans.map(({ files }) => files[0]?.path)).toEqual([
      '.both/skills/ops-check/SKILL.md',
      '.both/skills/web-check/SKILL.md',
    ]);
  });
});
