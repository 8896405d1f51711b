import { lintArtifacts } from '@catalog/core/lint/lint-artifacts';
import { harnessCapabilities } from '@catalog/harness/registry';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';

function messagesOf(manifest: string): string[] {
  const artifact = artifactOf('ops/x', { 'ARTIFACT.md': manifest });
  const context = { known_ids: new Set<string>(), capabilities: harnessCapabilities() };
  return lintArtifacts([artifact], context)
    .filter(({ code }) => code === 'lint.harness_capability')
    .map(({ message }) => message);
}

test('lint explains the fallback of a harness', () => {
  const rule =
    '---\ntype: rule\nversion: 1.0.0\ndescription: Not on Fridays, please.\nrule_mode: auto\nrule_description: Releases.\ntarget_harnesses: [harness-a]\n---\nNo.\n';
  expect(messagesOf(rule)).toEqual([
    'harness-a supports `rule_mode: auto` only through a fallback: harness-a has no rules of this mode, so the rule is loaded always.',
  ]);
});

test('lint explains why a harness does not support an artifact', () => {
  const agent =
    '---\ntype: agent\nversion: 1.0.0\ndescription: Sorts incoming incidents.\ntarget_harnesses: [harness-h]\n---\nYou triage.\n';
  expect(messagesOf(agent)).toContainEqual(
    expect.stringMatching(/^harness-h does not support `type: agent`: it has no agents; .*\.$/),
  );
});

test('lint reports a restriction that a harness does not support', () => {
  const agent =
    '---\ntype: agent\nversion: 1.0.0\ndescription: Sorts incoming incidents.\ntools: [Read, Edit]\ntarget_harnesses: [codex, claude-code]\n---\nYou triage.\n';
  expect(messagesOf(agent)).toEqual([
    'codex supports `type: agent` only through a fallback: the harness cannot limit the tools of an agent, so the agent may use every tool of the session.',
  ]);
});
