import type { JsonObject } from '@catalog/core/json';
import type { NativeHook } from '../hook-event-table.ts';
import type { ReadyHook } from '../landing.ts';

export function groupedHook({ native, command }: ReadyHook): JsonObject {
  return {
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    hooks: [{ type: 'command', command }],
  };
}

export function flatHook({ command }: ReadyHook): JsonObject {
  return { command };
}

/** Additional seconds, so that the script reports a timeout before the product. */
export const SHIM_GRACE_SECONDS = 5;

function graced(timeout: number, { max_timeout = Infinity }: NativeHook): number {
  return Math.min(timeout + SHIM_GRACE_SECONDS, max_timeout);
}

/** Renders a hook with a timeout in seconds. */
export function timedFlatHook({ native, command, timeout }: ReadyHook): JsonObject {
  return {
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    command,
    ...(timeout === undefined ? {} : { timeout: graced(timeout, native) }),
  };
}

/**
 * Renders a hook in a group. `parts` is the number of timeout units in a second, and `windows_key` the member for a
 * Windows command.
 */
export function timedGroupedHook(
  parts: number,
  windows_key?: string,
): (hook: ReadyHook) => JsonObject {
  return ({ native, command, windows, timeout }) => ({
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    hooks: [
      {
        type: 'command',
        command,
        ...(windows_key === undefined || windows === undefined ? {} : { [windows_key]: windows }),
        ...(timeout === undefined ? {} : { timeout: graced(timeout, native) * parts }),
      },
    ],
  });
}
