import type { HookEvent } from '@catalog/core/artifact/types';

export interface NativeHook {
  event: string;
  matcher?: string;
  /** In seconds. */
  max_timeout?: number;
  /** Difference from the canonical event, as a sentence. */
  fallback?: string;
  /** True if the product's input contains no tool name, so that no matcher can be tested. */
  names_no_tool?: true;
}

/** Undefined if the harness has no such event. */
export type HookEventTable = Readonly<Record<HookEvent, NativeHook | undefined>>;
