import { FIRST_CLASS_TYPES, type Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { planArtifacts } from '../../plan.ts';
import { harnessA } from '../harness-a/index.ts';
import { none } from './index.ts';

const MANIFESTS: Record<(typeof FIRST_CLASS_TYPES)[number], { row: string; keys: string }> = {
  skill: { row: 'HN-01', keys: 'sandbox_profile: seccomp-strict\n' },
  agent: { row: 'HN-02', keys: 'delegates_to: [ops/other]\n' },
  context: { row: 'HN-03', keys: '' },
  command: { row: 'HN-04', keys: '' },
  rule: { row: 'HN-05', keys: 'rule_mode: explicit\n' },
  hook: { row: 'HN-06', keys: 'hook_event: stop\nhook_action: bash scripts/run.sh\n' },
  'mcp-server': { row: 'HN-07', keys: 'server_identifier: npx:x\n' },
};

const PROSE = '<!-- begin imported -->\nAs it is.\n<!-- end imported -->\n';
const SKILL = `---\nname: sample\ndescription: D.\n---\n${PROSE}`;

function texts(artifact: Artifact): Record<string, string> {
  const { files, entries, unsupported } = planArtifacts([artifact], none, { on_clash: 'fail' });
  expect({ entries, unsupported }).toEqual({ entries: [], unsupported: [] });
  return Object.fromEntries(
    files.map(({ path, bytes, executable }) => [
      path,
      `${executable ? 'x ' : ''}${new TextDecoder().decode(bytes)}`,
    ]),
  );
}

for (const type of FIRST_CLASS_TYPES) {
  const { row, keys } = MANIFESTS[type];
  const ids = type === 'rule' || type === 'mcp-server' ? [row, 'DROP-04'] : [row];
  verifies(
    ids,
    `the harness none writes a ${type} unchanged under its id, with its bundled files`,
    () => {
      const manifest = `---\ntype: ${type}\nversion: 1.0.0\n${keys}---\n${type === 'skill' ? '' : PROSE}`;
      const artifact = artifactOf('ops/deep/sample', {
        'ARTIFACT.md': manifest,
        ...(type === 'skill' ? { 'SKILL.md': SKILL } : {}),
        'scripts/run.sh': 'true\n',
        'references/a.md': 'A\n',
      });
      expect(texts(artifact)).toEqual({
        'ops/deep/sample/ARTIFACT.md': manifest,
        ...(type === 'skill' ? { 'ops/deep/sample/SKILL.md': SKILL } : {}),
        'ops/deep/sample/references/a.md': 'A\n',
        'ops/deep/sample/scripts/run.sh': 'x true\n',
      });
    },
  );
}

test('writes a skill without an ARTIFACT.md unchanged', () => {
  expect(texts(artifactOf('sample', { 'SKILL.md': SKILL }))).toEqual({ 'sample/SKILL.md': SKILL });
});

verifies(
  ['DELIV-01', 'DELIV-02'],
  'writes the same bundled bytes in the layouts of two adapters',
  () => {
    const artifact = artifactOf('ops/sample', {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
      'SKILL.md': SKILL.replace(PROSE, 'Prose.\n'),
      'scripts/run.sh': 'true\n',
      'references/a.md': 'A\n',
      'assets/logo.svg': '<svg/>',
    });
    const before = structuredClone(artifact);
    const [canonical, native] = [none, harnessA].map(
      (adapter) => planArtifacts([artifact], adapter, { on_clash: 'fail' }).files,
    );
    expect(canonical?.map(({ path }) => path)).toEqual([
      'ops/sample/ARTIFACT.md',
      'ops/sample/SKILL.md',
      'ops/sample/assets/logo.svg',
      'ops/sample/references/a.md',
      'ops/sample/scripts/run.sh',
    ]);
    expect(native?.map(({ path }) => path)).toEqual([
      '.harness-a/skills/sample/SKILL.md',
      '.harness-a/skills/sample/assets/logo.svg',
      '.harness-a/skills/sample/references/a.md',
      '.harness-a/skills/sample/scripts/run.sh',
    ]);
    expect(canonical?.slice(1).map(({ bytes }) => bytes)).toEqual(
      native?.map(({ bytes }) => bytes),
    );
    expect(artifact).toEqual(before);
  },
);
