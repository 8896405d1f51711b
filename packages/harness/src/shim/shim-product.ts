import type { HookMatching } from './hook-matcher.ts';
import type { PRODUCT_PARTS } from './hook-scripts.ts';

export interface ShimProduct extends HookMatching {
  /**
   * Name of the script. `hook-shim.mjs` in the folder of the profile defines three functions: `describe(native)`
   * returns the canonical input, `applies(native)` whether the event is that of the hook, and `answer(outcome, native)`
   * the result for the product: `{json?, stdout?, stderr?, code?}`.
   */
  id: keyof typeof PRODUCT_PARTS;
  locate: Locate;
  /** True if the product itself splits a command into words. */
  without_shell?: true;
  /** True if the product expands environment variables in its settings, including commands. */
  expands?: true;
  /** JavaScript expression of the tool name; `native.tool_name` if absent. */
  tool_name?: string;
}

/**
 * Way to find the script. `cwd`: commands run in the folder of the settings. `walk`: parent folders are searched.
 * Otherwise an environment variable contains the folder.
 */
export type Locate = 'cwd' | 'walk' | { variable: string };
