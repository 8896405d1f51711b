import { anyOf, COMMON_SITUATIONS } from '../../shim/hook-matcher.ts';
import { VS_CODE_TOOLS } from '../copilot/hook-shim.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Claude Code reads exit codes as the contract does. What a command prints is handed on as context
 * only, so that a text that happens to be JSON is no decision. VS Code runs the same settings with its
 * own tools and ignores matchers, so the script decides by the tool as well. Copilot CLI also runs them:
 * the script leaves hooks to the script of Copilot if the workspace has it, and never ends with 1, by
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
    ...COMMON_SITUATIONS,
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: anyOf,
};
