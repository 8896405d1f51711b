import type { HookMatching } from './hook-matcher.ts';
import type { PRODUCT_PARTS } from './hook-scripts.ts';

export interface ShimProduct extends HookMatching {
  /**
   * Names the script. `hook-shim.mjs` in the directory of the profile defines three functions:
   * `describe(native)` returns the canonical members of the product's input, `applies(native)` returns
   * true if the event is the one of the hook, and `answer(outcome, native)` returns the result for the
   * product: `{json?, stdout?, stderr?, code?}`.
   */
  id: keyof typeof PRODUCT_PARTS;
  locate: Locate;
  /** The product splits a command into words itself. */
  without_shell?: true;
  /** The product expands environment variables in its settings, including commands. */
  expands?: true;
  /** JavaScript expression; defaults to `native.tool_name`. */
  tool_name?: string;
}

/**
 * `cwd`: commands run in the directory of the settings. `walk`: commands can run in a subdirectory,
 * so parent directories are searched for the script. Otherwise, the environment variable with the
 * directory.
 */
export type Locate = 'cwd' | 'walk' | { variable: string };
