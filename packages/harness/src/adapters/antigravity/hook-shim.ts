import { anyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';

/**
 * Antigravity reads decisions as JSON. Before a tool it takes a missing answer for a denial, and an
 * `allow` may grant what the user would be asked for, so a hook that allows answers `ask`, which
 * respects what the user always allows.
 */
export const antigravityHooks: ShimProduct = {
  id: 'antigravity',
  title: 'Antigravity',
  locate: 'walk',
  tools: {
    run_command: 'Bash',
    view_file: 'Read',
    write_to_file: 'Write',
    replace_file_content: 'Edit',
    multi_replace_file_content: 'Edit',
    grep_search: 'Grep',
    find_by_name: 'Glob',
    list_dir: 'LS',
    read_url_content: 'WebFetch',
    search_web: 'WebSearch',
    invoke_subagent: 'Task',
  },
  server_tools: 'unknown',
  filter: anyOf,
  tool_name: 'native.toolCall?.name',
  script: `function describe(native) {
  const { name, args } = native.toolCall ?? {};
  return {
    tool: toolOf(name),
    input: args && {
      ...args,
      path: args.TargetFile ?? args.AbsolutePath ?? args.DirectoryPath,
      content: args.CodeContent ?? args.ReplacementContent,
      command: args.CommandLine,
    },
    error: native.error || undefined,
    cwd: args?.Cwd ?? native.workspacePaths?.[0],
    session_id: native.conversationId,
  };
}

function applies({ error }) {
  return event !== 'post_tool_use_failure' || Boolean(error);
}

// Every event needs an answer, and exit codes are none.
function answer({ block, warning }) {
  if (event === 'stop') {
    if (block) return { json: { decision: 'continue', reason: block } };
    return { json: { decision: 'stop' }, stderr: warning };
  }
  if (!event.startsWith('pre_')) return { json: {}, stderr: block ?? warning };
  if (block) return { json: { decision: 'deny', reason: block } };
  return { json: { decision: 'ask' }, stderr: warning };
}
`,
};
