import { defineHarness } from '../../define-harness.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { gitPackageFormat } from '../../marketplace/formats/git-package.ts';

export const harnessH = defineHarness({
  id: 'harness-h',
  summary: 'minimal coding agent: .harness-h/, AGENTS.md',
  revision: 1,
  detect: ['.harness-h'],
  marketplace: gitPackageFormat({
    id: 'harness-h',
    landing: 'harness-h',
    root: '.harness-h',
    key: 'harness-h',
  }),
  skill: { folders: ['.harness-h/skills'] },
  agent: { refused: 'it has no agents; leave harness-h out with target_harnesses' },
  command: { path: '.harness-h/prompts/{name}.md' },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('harness-h', 'AGENTS.md') },
  hook: { refused: 'it has no hooks; leave harness-h out with target_harnesses' },
  mcp_server: { refused: 'it runs no MCP servers; leave harness-h out with target_harnesses' },
  fields: 'unsupported',
  mcp_config: { refused: 'it runs no MCP servers; use `catalog sync --harness harness-h`' },
});
