import type { HookEvent } from '@catalog/core/artifact/types';

export interface NativeHook {
  event: string;
  matcher?: string;
  /** Maximum timeout in seconds. */
  max_timeout?: number;
  /** Difference from the canonical event, as a sentence. */
  fallback?: string;
  /** True if the input of the event has no tool name, so that no matcher can be tested. */
  names_no_tool?: true;
}

/** Events of a harness; undefined for those without an equivalent. */
export type HookEventTable = Readonly<Record<HookEvent, NativeHook | undefined>>;
