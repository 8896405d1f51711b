import { anyOf, COMMON_MATCHED_MEMBERS } from '../../shim/hook-matcher.ts';
import { VS_CODE_TOOLS } from '../copilot/hook-shim.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Claude Code uses exit codes as the contract does. Output of a command is context only, so that JSON in it is never a
 * decision. VS Code runs the same settings but ignores matchers, so the script checks the tool too. Copilot CLI also
 * runs these hooks; the script leaves them to the Copilot script if there is one. It never exits with code 1, with
 * which Copilot denies the tool.
 */
export const claudeCodeHooks: ShimProduct = {
  id: 'claude-code',
  title: harnessName('claude-code'),
  locate: { variable: 'CLAUDE_PROJECT_DIR' },
  tools: {
    Bash: 'Bash',
    PowerShell: 'PowerShell',
    Read: 'Read',
    Edit: 'Edit',
    Write: 'Write',
    NotebookEdit: 'NotebookEdit',
    Glob: 'Glob',
    Grep: 'Grep',
    LS: 'LS',
    WebFetch: 'WebFetch',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    Skill: 'Skill',
    Agent: 'Task',
  },
  other_tools: VS_CODE_TOOLS,
  canonical: true,
  server_tools: { prefix: 'mcp_', separator: '_' },
  situations: {
    ...COMMON_MATCHED_MEMBERS,
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: anyOf,
};
