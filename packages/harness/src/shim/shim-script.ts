import { keepPart, replaceText } from './fill-script.ts';
import { PRODUCT_PARTS, SHARED_PARTS } from './hook-scripts.ts';
import { matchingScript } from './matching-script.ts';
import type { ShimProduct } from './shim-product.ts';

/** Prefix of arguments that are one encoded word. */
export const ENCODED = 'catalog:';

/**
 * Returns the script between a product and the command of a hook (SPEC-66): JavaScript without dependencies, the same
 * for all hooks of a product, and readable for users.
 */
export function shimScript(product: ShimProduct): string {
  return [
    ...headerLines(product),
    SHARED_PARTS['run-command'],
    SHARED_PARTS.arguments,
    matchingScript(product),
    PRODUCT_PARTS[product.id],
    selectionScript(product),
    mainScript(product),
  ].join('\n');
}

function headerLines({ title }: ShimProduct): string[] {
  return [
    `// Written by catalog for ${title}; a change here is lost with the next sync.`,
    '//',
    "// It runs the command of one hook by catalog's contract for hooks.",
    '//',
    '//   Stdin    one JSON object: event, harness, tool, input (with path, content and command), output,',
    `//            prompt, cwd, session_id, what else there is, and as "native" the object ${title} sent.`,
    `//   Exit 0   allows; what the command printed is context where ${title} takes any.`,
    '//   Exit 2   blocks, with the reason from stderr.',
    '//   Other    codes warn and never block, and so does a command that runs out of time.',
    '//',
    '// Arguments: the event, the id of the hook, its command, how many seconds that may take, and the',
    '// tools it is for; on Windows, the same as one word in base64.',
  ];
}

function selectionScript({ tool_name, situations = {} }: ShimProduct): string {
  const script = SHARED_PARTS['select-tool'];
  const members = Object.entries(situations).map(([event, member]) => `  ${event}: '${member}',\n`);
  const filled =
    members.length === 0
      ? dropSituations(script)
      : replaceText(script, "  sample_event: 'source',\n", members.join(''));
  const named =
    tool_name === undefined
      ? filled
      : replaceText(filled, 'name = native.tool_name;', `name = ${tool_name};`);
  return keepPart(named, 'situations', members.length > 0);
}

function dropSituations(script: string): string {
  const tested = `  const situation = native[SITUATIONS[event]];
  return typeof situation !== 'string' || matches(matcher, [situation]);
`;
  return replaceText(
    replaceText(script, tested, '  return true;\n'),
    'no tool or other value to',
    'no tool to',
  );
}

function mainScript({ id, title }: ShimProduct): string {
  const script = replaceText(SHARED_PARTS.main, 'sample-harness', id);
  return replaceText(script, 'Sample Harness', title);
}
