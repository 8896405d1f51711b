/** A product whose hooks are commands: how it starts one, and what the script for it must know. */
export interface ShimProduct {
  /** The id of its profile, which names the script. */
  id: string;
  title: string;
  /** How a command of the product finds the script of a workspace. */
  locate: Locate;
  /** It splits a command into words itself, without a shell. */
  without_shell?: true;
  /** The script is given the author's matcher, for programs that ignore the one in the settings. */
  passes_matcher?: true;
  /** It replaces variables in the settings it reads, commands included. */
  expands?: true;
  /**
   * JavaScript that defines `describe(native)`, the canonical members of what the product sends;
   * `applies(native)`, whether the event is the one the hook is for; and `answer(outcome, native)`,
   * what the product is told: `{json?, stdout?, stderr?, code?}`.
   */
  script: string;
}

/**
 * `cwd`: it runs commands in the folder its settings are in. `walk`: it may run them further down, so
 * the script is looked for upwards. Otherwise the variable that holds the folder.
 */
export type Locate = 'cwd' | 'walk' | { variable: string };

/** `describe` for products that send what Claude Code sends; `TOOLS` must be defined beside it. */
export const DESCRIBE_COMMON = `function describe(native) {
  return {
    tool: TOOLS[native.tool_name] ?? native.tool_name,
    input: native.tool_input,
    output: native.tool_response,
    error: native.error,
    prompt: native.prompt,
    message: native.message,
    cwd: native.cwd,
    session_id: native.session_id,
  };
}
`;

/** `applies` for products that have an event of their own for each. */
export const APPLIES_ALWAYS = `function applies() {
  return true;
}
`;

/** `matches(name)`, for products to which the script is given the matcher of the author. */
export const MATCHES = `// Letters, digits and separators are a list of names, and anything else is a regular expression.
function matches(name) {
  if (!matcher || matcher === '*') return true;
  if (/^[\\w\\s|,-]+$/.test(matcher)) return matcher.split(/[|,]/).some((one) => one.trim() === name);
  return new RegExp(matcher).test(name);
}
`;
