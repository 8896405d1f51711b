import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import type { Settings } from '@catalog/server/config/settings';

const EXAMPLES = join(import.meta.dirname, '../../examples/team');

export function readTree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
      }),
  );
}

const PREFLIGHT = 'ops/release/preflight';

function preflight(version: string, step: string): FileTree {
  return {
    [`${PREFLIGHT}/ARTIFACT.md`]: `---\ntype: skill\nversion: ${version}\ntags: [release, ci, quality]\nlicense: Apache-2.0\n---\n`,
    [`${PREFLIGHT}/SKILL.md`]: `---
name: preflight
description: Check a release before it ships. Use when someone asks whether a build can go out.
allowed-tools: Bash(git log:*) Read
---

# Preflight

You need the commit to release and the name of the service. Read
[the checklist](references/checklist.md) first; it lists what differs per service.

## Steps

1. Run \`scripts/verify.sh <commit>\`. Stop if it fails, and report the first failing check.
2. Compare the changelog with the merged pull requests since the last tag.
3. ${step}

\`\`\`bash
# the exit code is the verdict
scripts/verify.sh "$(git rev-parse HEAD)"
\`\`\`

| Check | Blocks a release |
| --- | --- |
| Tests | yes |
| Changelog | no |

<!-- a comment stays visible -->

![How a release flows](flow.svg)
`,
    [`${PREFLIGHT}/references/checklist.md`]: '# Checklist\n\n- [x] Tests\n- [ ] Changelog\n',
    [`${PREFLIGHT}/scripts/verify.sh`]: '#!/bin/sh\nset -eu\necho "checking $1"\n',
    [`${PREFLIGHT}/flow.svg`]:
      '<svg xmlns="http://www.w3.org/2000/svg" width="420" height="60"><rect x="1" y="10" width="120" height="40" rx="6" fill="none" stroke="#1c6b4c"/><rect x="150" y="10" width="120" height="40" rx="6" fill="none" stroke="#1c6b4c"/><rect x="299" y="10" width="120" height="40" rx="6" fill="none" stroke="#1c6b4c"/><path d="M121 30h29M270 30h29" stroke="#716c62"/></svg>\n',
  };
}

/** Starts a registry with two layers, three versions, and one rejected artifact. */
export async function startWebRegistry(settings: Partial<Settings> = {}): Promise<RegistryServer> {
  const server = await startRegistry({
    keep: true,
    settings: { 'web_ui.enabled': true, 'tenant.expose_scope_preview': true, ...settings },
  });
  const team = readTree(EXAMPLES);
  await server.ingest(team, { id: 'team', organization: true });
  const drafts = (version: string, step: string): FileTree => ({
    ...preflight(version, step),
    'ops/release/hidden/ARTIFACT.md':
      '---\ntype: rule\nversion: 1.0.0\ndescription: Has a char\u200Bacter that people do not see.\n---\nAlways say\u200B please.\n',
    'ops/broken/SKILL.md': '---\nname: broken\ndescription: [unclosed\n---\nText.\n',
  });
  await server.ingest(drafts('2.0.0', 'Ask the release manager.'), {
    id: 'platform',
    public: true,
  });
  await server.ingest(drafts('2.1.0', 'Say whether the release can go out.'), { id: 'platform' });
  await server.ingest(
    drafts('2.3.1', 'Say in one sentence whether the release can go out, and why.'),
    { id: 'platform' },
  );
  return server;
}

/**
 * Starts a registry with only the content of `examples/team`, for images. A layer of the team has
 * two versions of a skill, and a layer of another team extends it.
 */
export async function startTeamRegistry(): Promise<RegistryServer> {
  const server = await startRegistry({
    settings: { 'web_ui.enabled': true, 'tenant.expose_scope_preview': true },
  });
  const team = readTree(EXAMPLES);
  const skill = 'ops/release/release-check/SKILL.md';
  const manifest = 'ops/release/release-check/ARTIFACT.md';
  const steps = (team[skill] ?? '').split('\n');
  const earlier = {
    ...team,
    [manifest]: (team[manifest] ?? '').replace(/^version: .*$/m, 'version: 0.9.0'),
    [skill]: steps.filter((line) => !line.startsWith('3.')).join('\n'),
  };
  await server.ingest(earlier, { id: 'team', organization: true });
  await server.ingest(team, { id: 'team', organization: true });
  const payments = {
    'ops/release/rollback/ARTIFACT.md':
      '---\ntype: skill\nversion: 1.1.0\nextends: ops/release/rollback\ntags: [payments]\n---\n',
  };
  await server.ingest(payments, { id: 'payments', groups: ['payments'] });
  return server;
}
