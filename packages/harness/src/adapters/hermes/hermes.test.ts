import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { editManagedFile } from '../../managed/edit-managed-file.ts';
import { planArtifacts } from '../../plan.ts';
import { hermes } from './index.ts';

function artifact(keys: string): Artifact {
  return artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\nProse.\n`,
  });
}

const HOOK = artifact(
  'type: hook\nhook_event: pre_shell_execution\nhook_action: check\nhook_timeout: 20\n',
);
const SERVER = 'type: mcp-server\nurl: https://x.example/mcp\nheaders: {A: "${secret:T}"}\n';

test.each([HOOK, artifact(SERVER)])(
  'rejects $type in a workspace and suggests --scope user',
  (one) => {
    const { unsupported } = planArtifacts([one], hermes, { on_clash: 'fail' });
    expect(unsupported[0]?.reason).toContain('use --scope user');
  },
);

test.each(['agent', 'command'])(
  'hermes rejects an %s in both scopes and suggests a skill',
  (type) => {
    for (const adapter of [hermes, hermes.user ?? hermes]) {
      const { unsupported } = planArtifacts([artifact(`type: ${type}\n`)], adapter, {
        on_clash: 'fail',
      });
      expect(unsupported[0]?.reason).toContain('author it as a skill');
    }
  },
);

test('hermes user hooks and servers are in one YAML file that parses to the intended values', () => {
  const server = artifactOf('ops/old', {
    'ARTIFACT.md': `---\nversion: 1.0.0\n${SERVER}transport: sse\n---\n`,
  });
  const { entries } = planArtifacts([HOOK, artifact(SERVER), server], hermes.user ?? hermes, {
    on_clash: 'fail',
  });
  expect(new Set(entries.map(({ path }) => path))).toEqual(new Set(['.hermes/config.yaml']));
  const { text = '' } = editManagedFile(
    'model: x # mine\n',
    entries.map(({ entry }) => entry),
    undefined,
    '.hermes/config.yaml',
  );
  expect(text.startsWith('model: x # mine\n')).toBe(true);
  expect(parse(text)).toEqual({
    model: 'x',
    hooks: {
      pre_tool_call: [
        {
          matcher: '^terminal$',
          command: expect.stringMatching(
            /HOME\/\.catalog\/hooks\/hermes\.mjs.* pre_shell_execution ops\/sample check 20$/,
          ),
          timeout: 25,
        },
      ],
    },
    mcp_servers: {
      sample: { url: 'https://x.example/mcp', headers: { A: '${T}' } },
      old: { url: 'https://x.example/mcp', headers: { A: '${T}' }, transport: 'sse' },
    },
  });
});
