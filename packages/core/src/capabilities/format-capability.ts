import { escapeControls } from '@catalog/contract/text/escape-controls';
import { shellWord } from '../text/shell-word.ts';
import type { ExecutableCapability, HookCapability, Invocation } from './capability.ts';

/**
 * Formats a capability as one line for a terminal, with the command or URL last. Everything is escaped, so that an
 * artifact cannot move the cursor, reorder text or hide a part. Long parts are cut, with the number of missing
 * characters.
 */
export function formatCapability(capability: ExecutableCapability): string {
  return 'file' in capability
    ? `${escapeAndCut(capability.file)}: ${describe(capability)}`
    : describe(capability);
}

function describe(capability: ExecutableCapability): string {
  switch (capability.kind) {
    case 'hook':
      return describeHook(capability);
    case 'mcp_server':
      return `MCP server ${quoted(capability.name)}${details(capability)} ${invoked(capability)}`;
    case 'command':
      return `setting ${quoted(capability.key)}${details(capability)} ${invoked(capability)}`;
    case 'allowed_tool':
      return `${quoted(capability.key)} allows the tool ${quoted(capability.tool)}`;
    case 'permission':
      return `permission ${quoted(capability.key)} is ${quoted(capability.value)}`;
    case 'environment_variable':
      return `environment variable ${quoted(capability.name)}`;
    case 'plugin':
      return `${quoted(capability.key)} loads ${quoted(capability.source)}`;
    case 'inline_command':
      return `inline command runs: ${escapeAndCut(capability.command)}`;
    case 'script':
      return `${capability.executable ? 'executable script' : 'script'} ${shortHash(capability)}`;
    case 'configuration_file':
      return `configuration file ${shortHash(capability)}`;
    case 'unknown_executable_key':
      return `unknown key ${quoted(capability.key)} may run something (${shortHash(capability)}): ${escapeAndCut(capability.value)}`;
    case 'unreadable_file':
      return `frontmatter cannot be read, ${shortHash(capability)}`;
    case 'truncated':
      break;
  }
  return `more than ${capability.limit} capabilities; the rest are not listed`;
}

function describeHook(hook: HookCapability): string {
  const event = hook.event === '' ? 'hook' : `hook on ${quoted(hook.event)}`;
  const matcher = hook.matcher === undefined ? '' : ` for ${quoted(hook.matcher)}`;
  return `${event}${matcher}${details(hook)} ${hookAction(hook)}`;
}

function hookAction(hook: HookCapability): string {
  const { command, url, prompt, action } = hook;
  const prompted = prompt === undefined ? '' : `: ${escapeAndCut(prompt)}`;
  if (command === undefined && url === undefined) {
    return `runs a handler of type ${quoted(action)}${prompted}`;
  }
  const sent = prompted === '' ? '' : `sends the prompt${prompted} and `;
  return `${sent}${invoked(hook, action === 'mcp_tool' ? 'calls the MCP tool' : 'runs')}`;
}

function details({ headers, variables }: Invocation): string {
  const parts = [
    ...(headers.length === 0 ? [] : [`headers ${escapeAndCut(headers.join(', '))}`]),
    ...(variables.length === 0
      ? []
      : [`environment variables ${escapeAndCut(variables.join(', '))}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

function invoked({ command, args, url }: Invocation, runs = 'runs'): string {
  const target = url === undefined ? '' : `connects to: ${escapeAndCut(url)}`;
  if (command === undefined) return target === '' ? 'is configured elsewhere' : target;
  const line = escapeAndCut(formatCommandLine(command, args));
  return [target, `${runs}: ${line}`].filter((part) => part !== '').join(' and ');
}

export function formatCommandLine(command: string, args: readonly string[]): string {
  return args.length === 0 ? command : [command, ...args].map(shellWord).join(' ');
}

const HASH_CHARACTERS = 'sha256:'.length + 12;

function shortHash({ hash }: { hash: string }): string {
  return escapeAndCut(hash.slice(0, HASH_CHARACTERS));
}

function quoted(name: string): string {
  return escapeAndCut(shellWord(name));
}

/** Maximum length of each part, so that no part can push another out of view. */
const MAX_PART = 300;

export function isPrintedWhole(text: string): boolean {
  return text.length <= MAX_PART && escapeInvisible(escapeControls(text)).length <= MAX_PART;
}

function escapeAndCut(text: string): string {
  let line = '';
  let read = 0;
  for (const character of text) {
    const printed = escapeInvisible(escapeControls(character));
    if (line.length + printed.length > MAX_PART) {
      return `${line}… (${text.length - read} more characters)`;
    }
    line += printed;
    read += character.length;
  }
  return line;
}

/** Joiners, variation selectors and unusual spaces, which are acceptable in prose but not in a command. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u2800|[^\P{Zs} ]/gu;

function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
