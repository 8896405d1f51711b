import type { HookEvent } from '@catalog/core/artifact/types';

/** When each canonical event happens, for whoever writes a hook. */
export const HOOK_MOMENTS: Readonly<Record<HookEvent, string>> = {
  session_start: 'a session begins or resumes',
  session_end: 'a session ends',
  user_prompt_submit: 'a person has sent a prompt, and the model has not seen it yet',
  pre_tool_use: 'a tool is about to be used',
  post_tool_use: 'a tool has been used',
  post_tool_use_failure: 'a tool has failed',
  pre_shell_execution: 'a shell command is about to run',
  post_shell_execution: 'a shell command has run',
  pre_mcp_execution: 'a tool of an MCP server is about to be used',
  post_mcp_execution: 'a tool of an MCP server has been used',
  pre_read_file: 'a file is about to be read',
  post_file_edit: 'a file has been changed',
  permission_request: 'the harness is about to ask the person for a permission',
  permission_denied: 'a permission has been denied',
  subagent_start: 'a subagent begins',
  subagent_stop: 'a subagent has finished',
  stop: 'the agent has finished its turn',
  pre_compact: 'the context is about to be compacted',
  post_compact: 'the context has been compacted',
  notification: 'the harness notifies the person',
};
