import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import {
  createMarketplacePlace,
  skillOf,
  skillText,
  targetOf,
  type MarketplacePlace,
} from '@catalog/testkit/marketplace-place';
import { loadConfig } from '../config/load-config.ts';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { runSync } from '../sync/run-sync.ts';

function placeWith(more: string, files = skillOf('check')): MarketplacePlace {
  const place = createMarketplacePlace(files);
  place.configure(targetOf(more));
  return place;
}

describe('rendering a marketplace', () => {
  verifies(
    'DELIV-06',
    'creates a repository from the catalog that a harness can import',
    async () => {
      const place = placeWith('');
      const report = await place.run();
      expect(Object.keys(place.tree())).toEqual([
        '.harness-a-plugin/marketplace.json',
        'harness-a/ops/.harness-a-plugin/plugin.json',
        'harness-a/ops/skills/check/SKILL.md',
      ]);
      expect(report).toMatchObject({
        target: 'acme',
        harness: 'harness-a',
        artifacts: [{ id: 'ops/check', version: '1.0.0' }],
        marketplace: { plugins: [{ format: 'harness-a', name: 'ops', artifacts: ['ops/check'] }] },
      });
      expect((await place.run()).changes).toEqual([]);
    },
  );

  test('replaces its own files, removes stale ones and keeps others', async () => {
    const place = placeWith('', { ...skillOf('check'), ...skillOf('old') });
    await place.run();
    writeFileSync(`${place.market}/README.md`, 'Mine.\n');
    rmSync(`${place.root}/registry/ops/old`, { recursive: true });
    place.author(skillOf('check', '1.1.0', 'Do it well.'));
    const report = await place.run();
    expect(report.moved).toEqual([
      { id: 'ops/check', from: '1.0.0', to: '1.1.0' },
      { id: 'ops/old', from: '1.0.0', to: undefined },
    ]);
    expect(place.tree()).toMatchObject({
      'README.md': 'Mine.\n',
      'harness-a/ops/skills/check/SKILL.md': skillText('check', 'Do it well.'),
    });
    expect(existsSync(`${place.market}/harness-a/ops/skills/old`)).toBe(false);
  });

  test('never overwrites a file it did not write', async () => {
    const place = placeWith('');
    mkdirSync(`${place.market}/.harness-a-plugin`, { recursive: true });
    writeFileSync(`${place.market}/.harness-a-plugin/marketplace.json`, '{}');
    expect((await place.run()).error).toMatchObject({ code: 'materialize.clash' });
    expect(Object.keys(place.tree())).toEqual(['.harness-a-plugin/marketplace.json']);
  });

  verifies('CFG-06', 'puts an artifact into the first plugin that matches it', async () => {
    const place = createMarketplacePlace({
      ...skillOf('check'),
      ...skillOf('deploy'),
      'dev/lint/SKILL.md': skillText('lint'),
    });
    place.configure(`targets:
  - id: acme
    kind: marketplace
    target: ./market
    harness: [harness-a, harness-d]
    identity: Release robot
    plugins:
      - {name: first, include: ["ops/c*"]}
      - {name: rest, include: ["ops/**"]}
`);
    const { marketplace, skipped } = await place.run();
    expect(
      marketplace?.plugins.map(({ format, name, artifacts }) => [format, name, artifacts]),
    ).toEqual([
      ['harness-a', 'first', ['ops/check']],
      ['harness-a', 'rest', ['ops/deploy']],
      ['harness-d', 'first', ['ops/check']],
      ['harness-d', 'rest', ['ops/deploy']],
    ]);
    expect(skipped).toEqual([
      { artifact_id: 'dev/lint', harness: 'harness-a,harness-d', reason: 'no plugin includes it' },
    ]);
  });

  test('omits artifacts that defaults.exclude matches, and does not report them as skipped', async () => {
    const place = createMarketplacePlace({ ...skillOf('check'), ...skillOf('deploy') });
    place.configure(`defaults: {exclude: [ops/deploy]}\n${targetOf()}`);
    const { marketplace, skipped } = await place.run();
    expect(marketplace?.plugins.map(({ artifacts }) => artifacts)).toEqual([['ops/check']]);
    expect(skipped).toEqual([]);
    place.configure(targetOf());
    const again = await place.run();
    expect(again.artifacts.map(({ id }) => id)).toEqual(['ops/check', 'ops/deploy']);
  });

  test('reports patterns without matches and plugins without artifacts', async () => {
    const place = createMarketplacePlace(skillOf('check'));
    place.configure(`targets:
  - id: acme
    kind: marketplace
    target: ./market
    harness: [harness-a]
    plugins:
      - {name: first, include: ["ops/**", "opps/**"]}
      - {name: rest, include: ["ops/c*"]}
`);
    expect((await place.run()).fallbacks).toEqual([
      { artifact_id: 'plugin:first', reason: 'the pattern opps/** matches no artifact' },
      {
        artifact_id: 'plugin:rest',
        reason: 'no artifact is left for it: a plugin before it, `exclude` or `type` takes all',
      },
    ]);
  });

  test('keeps files that a plain sync delivered into its folder', async () => {
    const place = placeWith('');
    await place.run();
    const plain = loadConfig({
      cwd: place.work,
      home: `${place.root}/home`,
      env: { CATALOG_REGISTRY: `${place.root}/registry` },
      flags: { harness: 'harness-e', target: place.market },
    });
    await runSync(plain, { mode: 'sync' });
    place.author(skillOf('new'));
    await place.run();
    expect(Object.keys(place.tree())).toEqual([
      '.harness-a-plugin/marketplace.json',
      '.harness-e/skills/check/SKILL.md',
      'harness-a/ops/.harness-a-plugin/plugin.json',
      'harness-a/ops/skills/check/SKILL.md',
      'harness-a/ops/skills/new/SKILL.md',
    ]);
  });

  test('with --locked, renders the versions in the lock or fails', async () => {
    const place = placeWith('');
    await place.run();
    expect((await place.run({ locked: true })).error).toBeUndefined();
    place.author(skillOf('check', '1.1.0'));
    expect((await place.run({ locked: true })).error).toMatchObject({
      code: 'materialize.lock_mismatch',
    });
  });

  test('rejects a folder inside the registry, whose plugins would be ingested again', async () => {
    const place = placeWith('');
    place.configure(targetOf().replace('./market', '../registry/market'));
    expect((await place.run()).error).toMatchObject({ code: 'config.invalid' });
  });
});

test('a marketplace can use the format of a third-party adapter', async () => {
  const place = createMarketplacePlace({
    ...skillOf('check'),
    'ops/helper/ARTIFACT.md':
      '---\ntype: agent\nversion: 2.0.0\ndescription: Helps with all sorts of things.\nmodel: large\n---\nHelp.\n',
  });
  const refused = "{refused: 'Acme has none'}";
  writeTree(place.work, {
    'adapters/acme.mjs': `export default (kit) => ({
  id: 'acme-agent', summary: 'the agent of Acme', revision: 1, detect: [],
  skill: {folders: ['.acme/skills']},
  agent: {path: '.acme/agents/{name}.md', render: (artifact) => kit.projectDocument(artifact, [
    ['title', artifact.fields.description], ['llm', kit.authoredText(artifact, 'model')]])},
  command: ${refused}, rule: ${refused}, hook: ${refused}, mcp_server: ${refused},
  fields: kit.unread_fields,
  marketplace: {
    id: 'acme-agent', revision: 1, plugins: 'many', landing: 'acme-agent',
    components: {skill: {folder: 'skills', keys: 'open'}, agent: {from: '.acme/agents', to: 'agents'}},
    documents: (market) => [
      kit.plugins.listDocument('list.json', market, {}, (plugin) => ({
        ...kit.plugins.about(plugin), at: kit.plugins.sourceOf(plugin)})),
      ...market.plugins.map((plugin) => kit.plugins.pluginDocument('plugin.json', plugin)),
    ],
  },
});
`,
  });
  place.configure(
    `adapters: [./adapters/acme.mjs]\n${targetOf().replace('[harness-a]', '[acme-agent]')}`,
  );
  const report = await place.run();
  expect(report.error).toBeUndefined();
  const tree = place.tree();
  expect(tree['acme-agent/ops/agents/helper.md']).toBe(
    '---\ntitle: Helps with all sorts of things.\nllm: large\n---\nHelp.\n',
  );
  expect(JSON.parse(tree['list.json'] ?? '')).toEqual({
    name: 'acme',
    plugins: [
      {
        name: 'ops',
        version: expect.stringMatching(/^3\.0\.0\+/),
        at: './acme-agent/ops',
      },
    ],
  });
  expect(tree).toHaveProperty(['acme-agent/ops/plugin.json']);
});

describe('marketplace workflow', () => {
  const STEPS = `    identity: Release robot
    git: {remote: "https://git.example/acme.git", branch: release}
    workflow:
      prepare:
        - run: [sh, -c, 'test ! -e harness-a && echo "prepare in $PWD"']
        - run: [echo, "for $CATALOG_OUTPUT_ID to \${CATALOG_GIT_REMOTE} $HOME"]
      publish:
        - sh: 'test -e harness-a && echo "publish $CATALOG_CHANGED $CATALOG_GIT_BRANCH $CATALOG_IDENTITY $CATALOG_HARNESSES"'
        - {run: [cat, $CATALOG_CHANGE_SUMMARY], skip_if_no_changes: true}
        - sh: echo "$CATALOG_COMMIT_MESSAGE"
`;

  verifies('CLI-05', 'prepares, renders and publishes, in that order', async () => {
    const place = placeWith(STEPS);
    const report = await place.run();
    expect(report.error).toBeUndefined();
    expect(report.marketplace?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'prepare done',
      'prepare done',
      'publish done',
      'publish done',
      'publish done',
    ]);
    expect(place.lines.slice(0, 3)).toEqual([
      `prepare in ${place.market}`,
      'for acme to https://git.example/acme.git $HOME',
      'publish true release Release robot harness-a',
    ]);
    expect(place.lines).toContain('acme: 1 added');
    expect(place.lines).toContain('added ops/check 1.0.0');
    const summary = `${place.market}/.catalog/state/publish-change-summary.json`;
    expect(JSON.parse(readFileSync(summary, 'utf8'))).toEqual({
      output: 'acme',
      changed: true,
      count: 1,
      artifacts: [{ id: 'ops/check', to: '1.0.0', change: 'added' }],
    });
  });

  test('skips commands marked skip_if_no_changes if nothing changed', async () => {
    const place = placeWith(`    workflow:
      publish:
        - {sh: echo changed, skip_if_no_changes: true}
        - sh: echo always
`);
    await place.run();
    const again = await place.run();
    expect(again.marketplace?.steps.map(({ outcome }) => outcome)).toEqual(['skipped', 'done']);
    expect(place.lines).toEqual(['changed', 'always', 'always']);
  });

  test('stops at the first failing command, after running the on_error commands', async () => {
    const place = placeWith(`    workflow:
      prepare:
        - {sh: exit 5, continue_on_error: true}
        - sh: echo broken >&2; exit 3
        - sh: echo never
      prepare_on_error: [{sh: echo mending}]
      publish: [{sh: echo never}]
`);
    const report = await place.run();
    expect(report.error).toMatchObject({
      code: 'materialize.publish_failed',
      message: expect.stringMatching(/acme: prepare: .* exited with 3\.\nbroken/),
      details: { targets: ['acme'], step: 'prepare', output: 'broken' },
    });
    expect(report.marketplace?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'prepare failed',
      'prepare failed',
      'prepare not-run',
      'prepare_on_error done',
    ]);
    expect(place.lines).toEqual(['broken', 'mending']);
    expect(Object.keys(place.tree())).toEqual([]);
  });

  test('reports the rendered changes even if publishing failed', async () => {
    const place = placeWith(`    workflow:
      publish: [{run: [no-such-program-anywhere]}]
      publish_on_error: [{sh: echo undone}]
`);
    const report = await place.run();
    expect(report.error?.message).toContain('no-such-program-anywhere');
    expect(report.changes).toHaveLength(3);
    expect(place.lines).toEqual(['undone']);
  });

  test('a failed publication leaves its changes to the next run', async () => {
    const place = placeWith(`    workflow:
      publish:
        - {sh: 'test -e ../open && cat "$CATALOG_CHANGE_SUMMARY"', skip_if_no_changes: true}
`);
    expect((await place.run()).error).toMatchObject({ code: 'materialize.publish_failed' });
    place.author(skillOf('new'));
    expect((await place.run()).error).toMatchObject({ code: 'materialize.publish_failed' });
    writeFileSync(`${place.work}/open`, '');
    const report = await place.run();
    expect(report.changes).toEqual([]);
    expect(report.marketplace?.steps).toMatchObject([{ step: 'publish', outcome: 'done' }]);
    expect(JSON.parse(place.lines.join('\n'))).toMatchObject({
      changed: true,
      artifacts: [
        { id: 'ops/check', change: 'added' },
        { id: 'ops/new', change: 'added' },
      ],
    });
    expect((await place.run()).marketplace?.steps).toMatchObject([{ outcome: 'skipped' }]);
  });

  test('locks the folder before the first command', async () => {
    const place = placeWith(`    workflow:
      prepare:
        - sh: 'echo begin; sleep 0.3; echo end'
`);
    await Promise.all([place.run({ wait_ms: 10_000 }), place.run({ wait_ms: 10_000 })]);
    expect(place.lines).toEqual(['begin', 'end', 'begin', 'end']);
  });

  test('allows a command to clean the folder', async () => {
    const place = placeWith(`    workflow:
      prepare:
        - sh: rm -rf .catalog
`);
    expect((await place.run()).error).toBeUndefined();
    expect(Object.keys(place.tree())).toHaveLength(3);
  });

  test('kills a command on timeout, with all its child processes', async () => {
    const place = placeWith(`    workflow:
      prepare: [{sh: 'sleep 600 & echo started; wait', timeout: 300ms}]
`);
    // The child process keeps the output open, so that the run would wait for it.
    const report = await place.run();
    expect(report.error?.message).toContain('timed out');
    expect(place.lines).toEqual(['started']);
  });

  test('runs and writes nothing with --check and --dry-run', async () => {
    const place = placeWith(
      '    workflow: {prepare: [{sh: echo ran}], publish: [{sh: echo ran}]}\n',
    );
    for (const mode of ['check', 'dry-run'] as const) {
      const report = await place.run({ mode, trust: false });
      expect(report.changes.map(({ change }) => change)).toEqual(['added', 'added', 'added']);
      expect(report.marketplace?.steps.map(({ outcome }) => outcome)).toEqual([
        'not-run',
        'not-run',
      ]);
    }
    expect(place.lines).toEqual([]);
    expect(existsSync(place.market)).toBe(false);
  });
});

describe('several marketplace targets', () => {
  test('all targets run even if one of them fails', async () => {
    const place = createMarketplacePlace();
    const plugins = 'plugins: [{name: ops}]';
    place.configure(`targets:
  - {id: bad, kind: marketplace, target: ./bad, harness: harness-a, ${plugins}, workflow: {prepare: [{sh: exit 1}]}}
  - {id: good, kind: marketplace, target: ./good, harness: harness-d, ${plugins}}
  - {id: mine, harness: harness-a, target: ./mine}
`);
    const { targets } = await place.sync();
    expect(targets.map(({ target, error }) => [target, error?.code])).toEqual([
      ['mine', undefined],
      ['bad', 'materialize.publish_failed'],
      ['good', undefined],
    ]);
    expect(existsSync(`${place.work}/good/.harness-d-plugin/marketplace.json`)).toBe(true);
  });

  test('marketplaces run even if a workspace target fails', async () => {
    const place = createMarketplacePlace({
      ...skillOf('check'),
      'ops/end/ARTIFACT.md':
        '---\ntype: hook\nversion: 1.0.0\ndescription: D.\nhook_event: stop\nhook_action: "true"\n---\n',
    });
    place.configure(`${targetOf()}  - {id: mine, harness: harness-h}\n`);
    const { targets, error } = await place.sync();
    expect(error).toMatchObject({ code: 'materialize.untranslatable' });
    expect(targets.map(({ target, error: own }) => [target, own])).toEqual([['acme', undefined]]);
  });

  test('rejects the same folder under two paths', () => {
    const place = createMarketplacePlace();
    mkdirSync(place.market);
    symlinkSync(place.market, `${place.work}/link`);
    const other = targetOf().replace('targets:\n', '').replace('acme', 'beta');
    place.configure(targetOf() + other.replace('./market', './link'));
    expect(() => place.config()).toThrow(/write into the same folder/);
  });

  test('a plain sync does not render marketplaces', async () => {
    const place = createMarketplacePlace();
    place.configure(`${targetOf()}  - {id: mine, harness: harness-a, target: ./mine}\n`);
    const config = place.config();
    const { targets } = await runSync(config, { mode: 'sync' });
    expect(targets.map(({ target }) => target)).toEqual(['mine']);
    expect(existsSync(place.market)).toBe(false);
  });
});

describe('trust in a marketplace configuration', () => {
  const WORKFLOW = '    workflow: {publish: [{run: [touch, ran]}]}\n';

  test('is required before anything runs', async () => {
    const place = placeWith(WORKFLOW);
    await expect(place.run({ trust: false })).rejects.toMatchObject({
      code: 'config.untrusted',
      details: { wants: ['acme: publish: touch ran'] },
    });
    expect(existsSync(place.market)).toBe(false);
    await place.run({ trust: true });
    await place.run({ trust: false });
    expect(existsSync(`${place.market}/ran`)).toBe(true);
  });

  test('is revoked by any change to the file', async () => {
    const place = placeWith(WORKFLOW);
    await place.run();
    place.configure(targetOf(WORKFLOW.replace('ran', 'stolen')));
    await expect(place.run({ trust: false })).rejects.toMatchObject({ details: { changed: true } });
    expect(existsSync(`${place.market}/stolen`)).toBe(false);
  });

  test('is also required for the built-in push', async () => {
    const place = placeWith(
      '    publish: {git: {remote: "https://ann:s3cret@git.example/a.git"}}\n',
    );
    await expect(place.run({ trust: false })).rejects.toMatchObject({
      details: { wants: ['acme: push to https://git.example/a.git (main)'] },
    });
  });

  test('is not required for rendering', async () => {
    expect((await placeWith('').run({ trust: false })).error).toBeUndefined();
  });
});
