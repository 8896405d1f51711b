import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill } from './workspace.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/team');

function withTriggers(id: string, description: string, triggers: string): FileTree {
  return { ...skill(id, description), [`${id}/evals/triggers.yaml`]: triggers };
}

const ROLLBACK = 'Undo a deployment that went wrong.';
const RELEASE = 'Verify a release before it ships.';

/** The rollback matches one query of the release, which is a conflict. */
const DESK: FileTree = {
  ...withTriggers('ops/rollback', ROLLBACK, '- query: undo the deployment\n'),
  ...withTriggers(
    'ops/release',
    RELEASE,
    `- query: is the release ready to ship?
- query: undo the deployment
- query: deployment went wrong
  should_trigger: false
  instead: ops/rollback
`,
  ),
};

describe('the example catalog', () => {
  test('passes its own trigger tests, and lint has no findings', async () => {
    const { ok, json } = openWorkspace();
    const { stdout } = await ok(`test ${EXAMPLE}`);
    expect(stdout).toMatch(/^passed: 31 of 31 questions to 11 artifacts, searched among 11;/);
    expect((await json(`lint ${EXAMPLE}`)).document).toMatchObject({
      summary: { errors: 0, warnings: 0 },
    });
  });

  test('has deterministic trigger tests', async () => {
    const { ok } = openWorkspace();
    const first = await ok(`test ${EXAMPLE} --json`);
    expect((await ok(`test ${EXAMPLE} --json`)).stdout).toBe(first.stdout);
  });
});

describe('catalog test', () => {
  test('prints the failures, the results above the artifact, and the conflicts between artifacts', async () => {
    const { run, json, root, registry } = openWorkspace(DESK);
    const line = `test --registry ${registry} --top-k 1 --junit out/triggers.xml`;
    const { code, stdout } = await run(line);
    expect(code).toBe(1);
    expect(stdout)
      .toBe(`failed: 3 of 4 questions to 2 artifacts, searched among 2; an artifact is found if it is in the first 1

ops/release: "undo the deployment"
  it ranks 2, not first
  above: ops/rollback

First result (column) for the queries of an artifact (row)
                   1  2
  1  ops/release   1  1
  2  ops/rollback  .  2

Next: say in the description, or in \`when_to_use\`, what people ask for; \`catalog why search <id> "<query>"\` compares two of them.
`);
    const { document } = await json(line);
    expect(document).toMatchObject({
      top_k: 1,
      passed: 3,
      failed: 1,
      tested: [
        {
          id: 'ops/release',
          triggers: [
            { passed: true, rank: 1 },
            { passed: false, rank: 2, first: 'ops/rollback', above: ['ops/rollback'] },
            { passed: true, instead: 'ops/rollback' },
          ],
        },
        { id: 'ops/rollback' },
      ],
      matrix: [
        {
          id: 'ops/release',
          queries: 2,
          first: [
            { id: 'ops/release', queries: 1 },
            { id: 'ops/rollback', queries: 1 },
          ],
        },
        { id: 'ops/rollback', queries: 2, first: [{ id: 'ops/rollback', queries: 2 }] },
      ],
      rejected: [],
    });
    const junit = readFileSync(join(root, 'out/triggers.xml'), 'utf8');
    expect(junit).toContain('<testsuites tests="4" failures="1" errors="0">');
    expect(junit).toContain(
      '<failure message="it ranks 2, not first">above: ops/rollback</failure>',
    );
  });

  test('tests a part of a registry against the whole registry', async () => {
    const { json, registry } = openWorkspace(DESK);
    const { code, document } = await json(`test ${registry}/ops/rollback --registry ${registry}`);
    expect(code).toBe(0);
    expect(document).toMatchObject({ artifacts: 2, passed: 1, tested: [{ id: 'ops/rollback' }] });
  });

  test('fails if an artifact ranks first for a query that it must not match', async () => {
    const { run, registry } = openWorkspace({
      ...DESK,
      ...withTriggers(
        'ops/rollback',
        ROLLBACK,
        '- query: undo the deployment\n  should_trigger: false\n',
      ),
    });
    const { code, stdout } = await run(`test ${registry}/ops/rollback --registry ${registry}`);
    expect(code).toBe(1);
    expect(stdout).toContain('ops/rollback: "undo the deployment"\n  it ranks first\n');
  });

  test('tests a child with its own queries, not with those of its parents', async () => {
    const { json, registry } = openWorkspace({
      ...DESK,
      'food/soup/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\nextends: ops/rollback@1.x\n---\n',
      'food/soup/SKILL.md': '---\nname: soup\ndescription: Cook a tomato soup.\n---\n',
    });
    const { document } = await json(`test --registry ${registry}`);
    expect(document).toMatchObject({
      artifacts: 3,
      tested: [{ id: 'ops/release' }, { id: 'ops/rollback' }],
    });
  });

  test('reports unreadable trigger tests, and lint reports their position', async () => {
    const { run, json, registry } = openWorkspace({
      ...DESK,
      ...withTriggers('ops/rollback', ROLLBACK, '- query: undo\n  should_triger: true\n'),
    });
    const { code, stdout } = await run(`test --registry ${registry}`);
    expect(code).toBe(1);
    expect(stdout).toContain('ops/rollback: not tested, because it is not delivered');
    const { document } = await json(`lint --registry ${registry}`);
    expect(document).toMatchObject({
      diagnostics: expect.arrayContaining([
        expect.objectContaining({
          code: 'lint.invalid_triggers',
          severity: 'error',
          file: expect.stringMatching(/ops\/rollback\/evals\/triggers\.yaml$/),
          line: 2,
          column: 3,
          fix: 'Did you mean `should_trigger`?',
        }),
      ]),
    });
  });

  test('suggests how to start if there are no queries', async () => {
    const { ok, error, registry } = openWorkspace(skill('ops/check'));
    const { stdout } = await ok(`test --registry ${registry}`);
    expect(stdout).toContain('has trigger tests yet');
    expect(stdout).toContain('evals/triggers.yaml');
    expect((await error(`test ${registry} --top-k 0`)).error.code).toBe('config.usage');
    expect((await error(`test nowhere --registry ${registry}`)).error.code).toBe('config.usage');
    expect((await error('test --registry http://127.0.0.1:9')).error.code).toBe('config.usage');
  });
});

describe('catalog lint', () => {
  const MISSED = withTriggers('food/soup', 'Cook a tomato soup.', '- query: undo the deployment\n');

  test('warns if an artifact is not found by its own queries', async () => {
    const { ok, registry } = openWorkspace({ ...DESK, ...MISSED });
    const { stdout } = await ok(`lint --registry ${registry}`);
    expect(stdout).toMatch(
      /food\/soup\/evals\/triggers\.yaml:1:3 {2}warning {2}lint\.missed_trigger {2}The query "undo the deployment" should find this artifact, but it is not found; ops\/rollback ranks first\./,
    );
  });

  test('omits the warning if the artifact disables it', async () => {
    const { ok, registry } = openWorkspace({
      ...DESK,
      ...MISSED,
      'food/soup/ARTIFACT.md':
        '---\ntype: skill\nversion: 1.0.0\nlint_suppress: [lint.missed_trigger]\n---\n',
    });
    expect((await ok(`lint --registry ${registry}`)).stdout).toMatch(/^No problems in 3/);
  });
});
