import { exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';

/**
 * Hermes splits a command into words and runs it without a shell. It lets a hook block a tool call
 * or keep a turn going, and has one event for tool calls that succeeded and that failed.
 */
export const hermesHooks: ShimProduct = {
  id: 'hermes',
  title: 'Hermes Agent',
  locate: 'walk',
  without_shell: true,
  expands: true,
  tools: {
    terminal: 'Bash',
    read_file: 'Read',
    write_file: 'Write',
    patch: ['Edit', 'Write'],
    search_files: 'Grep',
    web_extract: 'WebFetch',
    web_search: 'WebSearch',
    delegate_task: 'Task',
  },
  filter: exactlyAnyOf,
  script: `function describe(native) {
  const { extra = {} } = native;
  return {
    tool: toolOf(native.tool_name) ?? undefined,
    input: native.tool_input ?? undefined,
    output: extra.result,
    error: extra.error_message ?? undefined,
    prompt: extra.user_message,
    cwd: native.cwd,
    session_id: native.session_id,
  };
}

function applies({ extra = {} }) {
  if (event === 'post_tool_use_failure') return extra.status === 'error';
  return event !== 'permission_denied' || extra.choice === 'deny';
}

function answer({ block, warning, text }, { hook_event_name: name }) {
  if (block && name === 'pre_tool_call') return { json: { action: 'block', message: block } };
  if (block && name === 'pre_verify') return { json: { action: 'continue', message: block } };
  if (block || warning) return { stderr: block ?? warning, code: 1 };
  return text && name === 'pre_llm_call' ? { json: { context: text } } : {};
}
`,
};
