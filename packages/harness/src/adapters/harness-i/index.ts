import type { McpConfigFile, Refused } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { mdcText } from '../../place/mdc-text.ts';
import { tapFormat } from '../../marketplace/formats/tap.ts';
import { readMdcRule } from '../harness-d/read-rule.ts';

const USER_SCOPE: Refused = {
  refused:
    'it reads this from the home folder only; use --scope user, or leave harness-i out with target_harnesses',
};
const NOT_WRITTEN: Refused = {
  refused:
    'it reads this from the home folder only, where catalog writes none; leave harness-i out with target_harnesses',
};

const SERVERS: McpConfigFile = {
  path: '.harness-i/config.yaml',
  container: ['mcp_servers'],
  recorded: 'lock',
};
const entry = mcpEntry({ secret: (name) => `\${${name}}` });

/** In a workspace, the product reads only rules, in the format of the IDE. */
export const harnessI = defineHarness({
  id: 'harness-i',
  summary: 'agent: rules in .harness-d/rules, the rest in the home folder',
  revision: 1,
  detect: ['.harness-i'],
  adopt: { rule: readMdcRule },
  marketplace: tapFormat({ id: 'harness-i' }),
  skill: USER_SCOPE,
  agent: { refused: 'it has no agents; leave harness-i out with target_harnesses' },
  command: NOT_WRITTEN,
  rule: {
    into: 'file',
    path: '.harness-d/rules/{name}.mdc',
    render: mdcText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: NOT_WRITTEN,
  mcp_server: USER_SCOPE,
  fields: 'unsupported',
  mcp_config: { user: SERVERS, entry },
  user: {
    skill: { folders: ['.harness-i/skills'] },
    mcp_server: { project: SERVERS, entry },
  },
});
