import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import type { HarnessAdapter } from '../adapter.ts';
import { planArtifacts } from '../plan.ts';
import { cline } from './cline/index.ts';
import { claudeCode } from './claude-code/index.ts';
import { copilot } from './copilot/index.ts';
import { kiro } from './kiro/index.ts';

/** Prose that a parser could read as frontmatter. */
const BODY = '---\napplyTo: "**"\n---\nProse.\n';

test.each<[HarnessAdapter, string]>([
  [claudeCode, 'type: rule\nrule_mode: always\n'],
  [cline, 'type: rule\nrule_mode: always\n'],
  [cline, 'type: command\n'],
  [copilot, 'type: rule\nrule_mode: explicit\n'],
  [kiro, 'type: command\n'],
])('separates prose that begins with a fence from frontmatter (%#)', (adapter, keys) => {
  const artifact = artifactOf('ops/one', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: x\n${keys}---\n${BODY}`,
  });
  const { files } = planArtifacts([artifact], adapter, { on_clash: 'fail' });
  expect(new TextDecoder().decode(files[0]?.bytes)).toBe(`\n${BODY}`);
});
