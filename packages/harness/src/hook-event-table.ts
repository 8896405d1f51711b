import type { HookEvent } from '@catalog/core/artifact/types';

/** The native event a canonical one becomes, and the tool it is narrowed to. */
export interface NativeHook {
  event: string;
  matcher?: string;
  /** The longest time-out the product accepts for it, in seconds. */
  max_timeout?: number;
  /** Where the native event is not quite the canonical one: how they differ, as a sentence. */
  fallback?: string;
  /** The product's input does not name the tool, so no matcher can be tested. */
  names_no_tool?: true;
}

/** What every canonical event becomes; undefined where the harness has nothing of the kind. */
export type HookEventTable = Readonly<Record<HookEvent, NativeHook | undefined>>;
