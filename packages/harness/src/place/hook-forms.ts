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

/** Additional seconds, so that the shim reports a timeout before the product. */
export const SHIM_GRACE = 5;

function graced(timeout: number, { max_timeout = Infinity }: NativeHook): number {
  return Math.min(timeout + SHIM_GRACE, max_timeout);
}

/** The timeout is in seconds. */
export function timedFlatHook({ native, command, timeout }: ReadyHook): JsonObject {
  return {
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    command,
    ...(timeout === undefined ? {} : { timeout: graced(timeout, native) }),
  };
}

/**
 * `parts` is the unit of the timeout, as the number of units in a second. `windows_key` is the
 * member for a Windows command.
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
