import type { JsonObject } from '@catalog/core/json';
import type { NativeHook } from '../hook-event-table.ts';
import type { ReadyHook } from '../landing.ts';

/** A group of one hook, as the products that nest them have it: `{matcher?, hooks: [...]}`. */
export function groupedHook({ native, command }: ReadyHook): JsonObject {
  return {
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    hooks: [{ type: 'command', command }],
  };
}

/** A hook by itself, as the products that do not nest them have it. */
export function flatHook({ command }: ReadyHook): JsonObject {
  return { command };
}

/** Seconds a product waits longer than the shim, so that it is the shim that says what happened. */
export const SHIM_GRACE = 5;

function graced(timeout: number, { max_timeout = Infinity }: NativeHook): number {
  return Math.min(timeout + SHIM_GRACE, max_timeout);
}

/** The same with its tool and its time-out in seconds, for products that take both. */
export function timedFlatHook({ native, command, timeout }: ReadyHook): JsonObject {
  return {
    ...(native.matcher === undefined ? {} : { matcher: native.matcher }),
    command,
    ...(timeout === undefined ? {} : { timeout: graced(timeout, native) }),
  };
}

/**
 * A group of one hook with its time-out, in seconds or as many parts of one as the product counts.
 * `windows_key`: the member of the product for a command on Windows.
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
