import type { HookMatching } from './hook-matcher.ts';
import type { PRODUCT_PARTS } from './hook-scripts.ts';

/** A product whose hooks are commands: how it starts one, and what the script for it must know. */
export interface ShimProduct extends HookMatching {
  /**
   * The id of its profile, which names the script. `hook-shim.mjs` in the folder of the profile
   * defines `describe(native)`, the canonical members of what the product sends; `applies(native)`,
   * whether the event is the one the hook is for; and `answer(outcome, native)`, the result for the
   * product: `{json?, stdout?, stderr?, code?}`.
   */
  id: keyof typeof PRODUCT_PARTS;
  /** How a command of the product finds the script of a workspace. */
  locate: Locate;
  /** It splits a command into words itself, without a shell. */
  without_shell?: true;
  /** It replaces variables in the settings it reads, commands included. */
  expands?: true;
  /** JavaScript for the product's own name of the tool in `native`, if it is not `native.tool_name`. */
  tool_name?: string;
}

/**
 * `cwd`: it runs commands in the folder its settings are in. `walk`: it may run them further down, so
 * the script is looked for upwards. Otherwise the variable that holds the folder.
 */
export type Locate = 'cwd' | 'walk' | { variable: string };
