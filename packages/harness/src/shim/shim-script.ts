import { RUN_COMMAND } from './run-command.ts';
import { matchingScript } from './hook-matcher.ts';
import type { ShimProduct } from './shim-product.ts';

/** What the arguments start with if they are one encoded word. */
export const ENCODED = 'catalog:';

/**
 * The script that stands between a product and the command of a hook (SPEC-66). It is plain
 * JavaScript without dependencies, the same for every hook of a product, and meant to be read by
 * whoever finds it in a workspace.
 */
export function shimScript(product: ShimProduct): string {
  const { id, title, script, situations = {}, tool_name = 'native.tool_name' } = product;
  return `// Written by catalog for ${title}; a change here is lost with the next sync.
//
// It runs the command of one hook by catalog's contract for hooks:
//   stdin    one JSON object: event, harness, tool, input (with path, content and command), output,
//            prompt, cwd, session_id, what else there is, and as "native" the object ${title} sent
//   exit 0   allows; what the command printed is context where ${title} takes any
//   exit 2   blocks, with the reason from stderr
//   other    warns and never blocks, and so does a command that runs out of time
//
// Arguments: the event, the id of the hook, its command, how many seconds that may take, and the
// tools it is for; on Windows, the same as one word in base64.
${RUN_COMMAND}
const [event, id, command, timeout, matcher] = readArguments();

function readArguments() {
  const last = process.argv.at(-1);
  if (!last.startsWith('${ENCODED}')) return process.argv.slice(2);
  return JSON.parse(Buffer.from(last.slice(${ENCODED.length}), 'base64url').toString());
}

${matchingScript(product)}
${script}${subjectsScript(tool_name, situations)}
// Events of the session itself; a subagent has its own, and products that say so send an agent_id.
const NOT_OF_SUBAGENTS = ['session_start', 'user_prompt_submit', 'stop'];

async function main() {
  const native = await readObject();
  // Some products need an answer even where the hook has nothing to say.
  if (!applies(native) || !isSelected(native)) return answer({}, native);
  if (native.agent_id && NOT_OF_SUBAGENTS.includes(event)) return answer({}, native);
  const payload = { event, harness: '${id}', ...describe(native), native };
  return answer(await runCommand({ id, command, timeout }, payload), native);
}

async function readObject() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8').replace(/^\\uFEFF/, '').trim();
  const value = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it is no object');
  return value;
}

// Ended by ${title}, the command ends with it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const { json, stdout, stderr, code = 0 } = await main().catch(({ message }) =>
  answer({ warning: id + ' was not run, its input could not be read: ' + message }, {}),
);
if (stderr) process.stderr.write(stderr + '\\n');
const said = json ? JSON.stringify(json) : stdout;
process.stdout.write(said ? said + '\\n' : '', () => process.exit(code));
`;
}

function subjectsScript(
  tool_name: string,
  situations: NonNullable<ShimProduct['situations']>,
): string {
  const members = Object.entries(situations).map(([event, member]) => `  ${event}: '${member}',\n`);
  const none = members.length === 0;
  return `${
    none
      ? ''
      : `
// What the matcher of a hook is tested against at events without a tool.
const SITUATIONS = {
  __proto__: null,
${members.join('')}};
`
  }
// Names of the tool that its own name does not show.
function moreNames(native) {
  const { server_name: server, tool_name: tool } = native.mcp_context ?? {};
  return [describe(native).tool, ...(server ? ['mcp__' + server + '__' + tool] : [])];
}

// Without a tool${none ? '' : ' or a situation'} to test the matcher against, the hook runs.
function isSelected(native) {
  const name = ${tool_name};
  if (name) return matches(matcher, [...namesOf(name), ...moreNames(native)]);
${
  none
    ? '  return true;'
    : `  const situation = native[SITUATIONS[event]];
  return typeof situation !== 'string' || matches(matcher, [situation]);`
}
}
`;
}
