import { anyOf, COMMON_MATCHED_MEMBERS } from '../../shim/hook-matcher.ts';
import { VS_CODE_TOOLS } from '../copilot/hook-shim.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Claude Code interprets exit codes as the contract does. Output of a command is passed on as
 * context only, so that JSON in it cannot be a decision. VS Code runs the same settings with its
 * own tools and ignores matchers, so the script also checks the tool. Copilot CLI also runs these
 * hooks: the script leaves them to the Copilot script if the workspace has it. It never exits with
 * 1, because Copilot then denies the tool.
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
