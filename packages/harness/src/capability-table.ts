import type { HookEvent, RuleMode } from '@catalog/core/artifact/types';
import type { CapabilityTable, Support } from './adapter.ts';

export interface CapabilityColumn {
  types: Group<'skill' | 'agent' | 'context' | 'command' | 'mcp-server'>;
  fields: Group<
    'description' | 'mcpServers' | 'delegates_to' | 'requiresApproval' | 'sandbox_profile'
  >;
  rule_modes: Group<RuleMode>;
  hook_events: Group<HookEvent>;
}

type Group<Row extends string> = Support | Readonly<Record<Row, Support>>;

/** Returns the table of a harness. A missing feature does not compile. */
export function capabilityTable(column: CapabilityColumn): CapabilityTable {
  const { types, fields, rule_modes, hook_events } = column;
  return {
    'type:skill': cell(types, 'skill'),
    'type:agent': cell(types, 'agent'),
    'type:context': cell(types, 'context'),
    'type:command': cell(types, 'command'),
    'type:mcp-server': cell(types, 'mcp-server'),
    'field:description': cell(fields, 'description'),
    'field:mcpServers': cell(fields, 'mcpServers'),
    'field:delegates_to': cell(fields, 'delegates_to'),
    'field:requiresApproval': cell(fields, 'requiresApproval'),
    'field:sandbox_profile': cell(fields, 'sandbox_profile'),
    'rule_mode:always': cell(rule_modes, 'always'),
    'rule_mode:glob': cell(rule_modes, 'glob'),
    'rule_mode:auto': cell(rule_modes, 'auto'),
    'rule_mode:explicit': cell(rule_modes, 'explicit'),
    'hook_event:session_start': cell(hook_events, 'session_start'),
    'hook_event:session_end': cell(hook_events, 'session_end'),
    'hook_event:user_prompt_submit': cell(hook_events, 'user_prompt_submit'),
    'hook_event:pre_tool_use': cell(hook_events, 'pre_tool_use'),
    'hook_event:post_tool_use': cell(hook_events, 'post_tool_use'),
    'hook_event:post_tool_use_failure': cell(hook_events, 'post_tool_use_failure'),
    'hook_event:pre_shell_execution': cell(hook_events, 'pre_shell_execution'),
    'hook_event:post_shell_execution': cell(hook_events, 'post_shell_execution'),
    'hook_event:pre_mcp_execution': cell(hook_events, 'pre_mcp_execution'),
    'hook_event:post_mcp_execution': cell(hook_events, 'post_mcp_execution'),
    'hook_event:pre_read_file': cell(hook_events, 'pre_read_file'),
    'hook_event:post_file_edit': cell(hook_events, 'post_file_edit'),
    'hook_event:permission_request': cell(hook_events, 'permission_request'),
    'hook_event:permission_denied': cell(hook_events, 'permission_denied'),
    'hook_event:subagent_start': cell(hook_events, 'subagent_start'),
    'hook_event:subagent_stop': cell(hook_events, 'subagent_stop'),
    'hook_event:stop': cell(hook_events, 'stop'),
    'hook_event:pre_compact': cell(hook_events, 'pre_compact'),
    'hook_event:post_compact': cell(hook_events, 'post_compact'),
    'hook_event:notification': cell(hook_events, 'notification'),
  };
}

function cell<Row extends string>(group: Group<Row>, row: Row): Support {
  return typeof group === 'string' ? group : group[row];
}
