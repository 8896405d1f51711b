import { expect, test } from 'vitest';
import { artifactOf } from '@catalog/testkit/authored-package';
import { capabilitiesUsed } from './capabilities-used.ts';

function used(frontmatter: string): string[] {
  return capabilitiesUsed(
    artifactOf('ops/x', { 'ARTIFACT.md': `---\nversion: 1.0.0\n${frontmatter}---\n` }),
  );
}

test.each([
  ['type: skill\n', ['type:skill']],
  ['type: context\n', ['type:context']],
  ['type: command\n', ['type:command']],
  ['type: mcp-server\n', ['type:mcp-server']],
  ['type: agent\n', ['type:agent']],
  ['type: agent\ndescription: Sorts.\n', ['type:agent', 'field:description']],
  ['type: command\ndescription: Sorts.\n', ['type:command']],
  ['type: rule\n', ['rule_mode:always']],
  ['type: rule\nrule_mode: glob\n', ['rule_mode:glob']],
  ['type: command\nrule_mode: glob\n', ['type:command']],
  ['type: hook\nhook_event: stop\n', ['hook_event:stop']],
  ['type: hook\n', []],
  ['type: dataset\n', []],
  ['type: skill\nmcpServers: [{name: a}]\n', ['type:skill', 'field:mcpServers']],
  ['type: skill\nmcpServers: []\ndelegates_to: []\nrequiresApproval: []\n', ['type:skill']],
  ['type: context\ndelegates_to: [a/b]\n', ['type:context', 'field:delegates_to']],
  ['type: hook\nrequiresApproval: [{tool: Bash}]\n', ['field:requiresApproval']],
  ['type: rule\nsandbox_profile: read-only-fs\n', ['rule_mode:always', 'field:sandbox_profile']],
])('capabilitiesUsed lists the features that %j uses', (frontmatter, capabilities) => {
  expect(used(frontmatter)).toEqual(capabilities);
});
