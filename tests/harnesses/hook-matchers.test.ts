import { describe, expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { nativeHook } from './native-hook.ts';

describe('the matcher of a native hook event', () => {
  verifies('HMATCH-06', 'restricts harness-f to the shell', () => {
    expect(nativeHook('harness-f', 'pre_shell_execution')).toEqual({
      event: 'PreToolUse',
      matcher: '^Bash$',
    });
    expect(nativeHook('harness-f', 'post_shell_execution')).toEqual({
      event: 'PostToolUse',
      matcher: '^Bash$',
    });
  });

  verifies('HMATCH-07', 'restricts harness-f to calls over MCP', () => {
    expect(nativeHook('harness-f', 'pre_mcp_execution')).toEqual({
      event: 'PreToolUse',
      matcher: '^mcp__',
    });
    expect(nativeHook('harness-f', 'post_mcp_execution')).toEqual({
      event: 'PostToolUse',
      matcher: '^mcp__',
    });
  });

  verifies('HMATCH-08', 'restricts harness-g to the shell', () => {
    expect(nativeHook('harness-g', 'pre_shell_execution')).toEqual({
      event: 'BeforeTool',
      matcher: '^Bash$',
    });
    expect(nativeHook('harness-g', 'post_shell_execution')).toEqual({
      event: 'AfterTool',
      matcher: '^Bash$',
    });
  });

  verifies('HMATCH-09', 'restricts harness-g to calls over MCP', () => {
    expect(nativeHook('harness-g', 'pre_mcp_execution')).toEqual({
      event: 'BeforeTool',
      matcher: '^mcp_',
    });
    expect(nativeHook('harness-g', 'post_mcp_execution')).toEqual({
      event: 'AfterTool',
      matcher: '^mcp_',
    });
  });

  verifies('HMATCH-10', 'is absent from generic events', () => {
    const unnarrowed = {
      'harness-a': ['PreToolUse', 'PostToolUse', 'SessionStart', 'SessionEnd'],
      'harness-f': ['PreToolUse', 'PostToolUse', 'SessionStart', 'SessionEnd'],
      'harness-g': ['BeforeTool', 'AfterTool', 'SessionStart', 'SessionEnd'],
    };
    for (const [harness, events] of Object.entries(unnarrowed)) {
      const canonical = ['pre_tool_use', 'post_tool_use', 'session_start', 'session_end'];
      expect(canonical.map((event) => nativeHook(harness, event))).toEqual(
        events.map((event) => ({ event, matcher: undefined })),
      );
    }
  });

  verifies('HMATCH-11', 'is absent from events about permissions', () => {
    const native = { event: 'PermissionRequest', matcher: undefined };
    expect(nativeHook('harness-a', 'permission_request')).toEqual(native);
    expect(nativeHook('harness-a', 'permission_denied')).toEqual({
      event: 'PermissionDenied',
      matcher: undefined,
    });
    expect(nativeHook('harness-f', 'permission_request')).toEqual(native);
    // If the event does not exist, the hook is rejected: a narrowed version of another event is not
    // equivalent.
    expect(nativeHook('harness-f', 'permission_denied')).toBeUndefined();
    expect(nativeHook('harness-g', 'permission_request')).toBeUndefined();
    expect(nativeHook('harness-g', 'permission_denied')).toBeUndefined();
  });

  verifies('HMATCH-12', 'is absent from the event about a failed tool', () => {
    expect(nativeHook('harness-a', 'post_tool_use_failure')).toEqual({
      event: 'PostToolUseFailure',
      matcher: undefined,
    });
    expect(nativeHook('harness-f', 'post_tool_use_failure')).toBeUndefined();
    expect(nativeHook('harness-g', 'post_tool_use_failure')).toBeUndefined();
  });
});
