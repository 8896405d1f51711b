import { toolOf } from '../../shim/scripts/match-tools.mjs';
import { event } from '../../shim/scripts/arguments.mjs';

export function describe(native) {
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

export function applies({ error }) {
  return event !== 'post_tool_use_failure' || Boolean(error);
}

// Every event needs a JSON result; Antigravity ignores exit codes.
export function answer({ block, warning }) {
  if (event === 'stop') {
    if (block) return { json: { decision: 'continue', reason: block } };
    return { json: { decision: 'stop' }, stderr: warning };
  }
  if (!event.startsWith('pre_')) return { json: {}, stderr: block ?? warning };
  if (block) return { json: { decision: 'deny', reason: block } };
  return { json: { decision: 'ask' }, stderr: warning };
}
