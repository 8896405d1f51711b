import type { HookEvent, RuleMode } from '@catalog/core/artifact/types';
import { describe, expect, test } from 'vitest';
import type { Support } from './adapter.ts';
import { capabilityTable, type CapabilityColumn } from './capability-table.ts';

const NATIVE: CapabilityColumn = {
  types: 'native',
  fields: 'native',
  rule_modes: 'native',
  hook_events: 'native',
};

function unsupported(column: CapabilityColumn): string[] {
  return Object.entries(capabilityTable(column))
    .filter(([, support]) => support === 'unsupported')
    .map(([row]) => row);
}

test.each([
  ['types', 5],
  ['fields', 5],
  ['rule_modes', 4],
  ['hook_events', 20],
])('applies a support value for %s to its %i rows', (group, count) => {
  expect(unsupported({ ...NATIVE, [group]: 'unsupported' })).toHaveLength(count);
});

describe('capabilityTable with a support value per row', () => {
  const types = {
    skill: 'native',
    agent: 'native',
    context: 'native',
    command: 'native',
    'mcp-server': 'native',
  } as const;
  const fields = {
    description: 'native',
    mcpServers: 'native',
    delegates_to: 'native',
    requiresApproval: 'native',
    sandbox_profile: 'native',
  } as const;
  const rule_modes: Record<RuleMode, Support> = {
    always: 'native',
    glob: 'native',
    auto: 'native',
    explicit: 'native',
  };

  const hook_events: Record<HookEvent, Support> = {
    session_start: 'native',
    session_end: 'native',
    user_prompt_submit: 'native',
    pre_tool_use: 'native',
    post_tool_use: 'native',
    post_tool_use_failure: 'native',
    pre_shell_execution: 'native',
    post_shell_execution: 'native',
    pre_mcp_execution: 'native',
    post_mcp_execution: 'native',
    pre_read_file: 'native',
    post_file_edit: 'native',
    permission_request: 'native',
    permission_denied: 'native',
    subagent_start: 'native',
    subagent_stop: 'native',
    stop: 'native',
    pre_compact: 'native',
    post_compact: 'native',
    notification: 'native',
  };

  test.each(Object.keys(types))('marks only type:%s as unsupported', (row) => {
    expect(unsupported({ ...NATIVE, types: { ...types, [row]: 'unsupported' } })).toEqual([
      `type:${row}`,
    ]);
  });

  test.each(Object.keys(fields))('marks only field:%s as unsupported', (row) => {
    expect(unsupported({ ...NATIVE, fields: { ...fields, [row]: 'unsupported' } })).toEqual([
      `field:${row}`,
    ]);
  });

  test.each(Object.keys(rule_modes))('marks only rule_mode:%s as unsupported', (row) => {
    expect(unsupported({ ...NATIVE, rule_modes: { ...rule_modes, [row]: 'unsupported' } })).toEqual(
      [`rule_mode:${row}`],
    );
  });

  test.each(Object.keys(hook_events))('marks only hook_event:%s as unsupported', (row) => {
    const column = { ...NATIVE, hook_events: { ...hook_events, [row]: 'unsupported' } };
    expect(unsupported(column)).toEqual([`hook_event:${row}`]);
  });
});
