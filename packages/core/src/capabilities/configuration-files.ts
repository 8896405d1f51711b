import type { PackageFile } from '../artifact/types.ts';
import { isJsonObject, type Json } from '../json.ts';
import { readYaml, readYamlList } from '../manifest/read-yaml.ts';
import { lastSegment } from '../text/slash-path.ts';
import type { Reading } from './capability-reading.ts';
import type { ExecutableCapability } from './capability.ts';
import { readAs, readKeys } from './read-keys.ts';
import { extensionOf } from './script-files.ts';
import { parseJsonWithComments } from './json-with-comments.ts';

export const CONFIGURATION_NAMES: readonly string[] = [
  'plugin.json plugin.yaml marketplace.json gemini-extension.json qwen-extension.json',
  'hooks.json hooks.v1.json hooks.toml hook.yaml monitors.json .lsp.json lsp.json .app.json',
  '.mcp.json mcp.json mcp_config.json mcp-config.json cline_mcp_settings.json',
  'settings.json settings.local.json managed-settings.json .claude.json claude_desktop_config.json',
  'opencode.json opencode.jsonc kilo.json kilo.jsonc openai.yaml .roomodes',
  'package.json devcontainer.json',
].flatMap((line) => line.split(' '));

const STRUCTURED_EXTENSIONS: ReadonlySet<string> = new Set([
  'json',
  'jsonc',
  'json5',
  'toml',
  'yaml',
  'yml',
]);

/** Directories in which structured files count as settings. Hidden directories count too. */
export const CONFIGURATION_DIRECTORIES: readonly string[] = [
  'hooks',
  'agents',
  'commands',
  'policies',
  'recipes',
];

const NAMES: ReadonlySet<string> = new Set(CONFIGURATION_NAMES);
const DIRECTORIES: ReadonlySet<string> = new Set(CONFIGURATION_DIRECTORIES);

export function isConfigurationPath(path: string): boolean {
  const folded = path.toLowerCase();
  const name = lastSegment(folded);
  if (NAMES.has(name) || extensionOf(name) === 'hook') return true;
  const directories = folded.split('/').slice(0, -1);
  return (
    isStructuredPath(name) &&
    directories.some((directory) => directory.startsWith('.') || DIRECTORIES.has(directory))
  );
}

export function isStructuredPath(path: string): boolean {
  return STRUCTURED_EXTENSIONS.has(extensionOf(lastSegment(path)));
}

/** Maximum size of a settings file whose content is listed; a larger file is identified by its hash. */
const MAX_BYTES = 131_072;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Lists the capabilities in a settings file for display. The key of the file covers its whole content. */
export function readConfiguration({ path, bytes }: PackageFile): Reading {
  const values = parse(path, bytes);
  if (values === undefined) return { capabilities: [], mentions: [] };
  const whole = wholeFile(path, values);
  if (whole !== undefined) return { capabilities: whole, mentions: [values] };
  const keys = isJsonObject(values) ? values : Object.create(null);
  return { capabilities: readKeys(keys, path).capabilities, mentions: [values] };
}

/** Parses settings files that contain hooks, servers or commands without an enclosing key. */
function wholeFile(path: string, values: Json): ExecutableCapability[] | undefined {
  const name = lastSegment(path.toLowerCase());
  const source = { file: path, key: '' };
  const has = (key: string): boolean => isJsonObject(values) && key in values;
  if (/^monitors\.|lsp\./.test(name)) return readAs('commands', values, source);
  if (/mcp/.test(name) && !has('mcpServers') && !has('servers'))
    return readAs('servers', values, source);
  const isHooks = /hook/.test(name) || /(?:^|\/)hooks\//i.test(path);
  return isHooks && !has('hooks') ? readAs('hooks', values, source) : undefined;
}

function parse(path: string, bytes: Uint8Array): Json | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return undefined;
  }
  const extension = extensionOf(lastSegment(path));
  if (extension === 'toml') return undefined;
  return extension === 'yaml' || extension === 'yml'
    ? parseYaml(text)
    : parseJsonWithComments(text);
}

function parseYaml(text: string): Json | undefined {
  const map = readYaml(text);
  if (map.kind === 'ok') return map.values;
  const list = readYamlList(text);
  return list.kind === 'ok' ? list.values : undefined;
}
