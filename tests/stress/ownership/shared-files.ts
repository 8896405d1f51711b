/** Imports AGENTS.md if claude-code and codex share a workspace, unless it has the user's text. */
export const RULES_IMPORT = 'CLAUDE.md';

const SHARED: ReadonlySet<string> = new Set([
  '.mcp.json',
  '.claude/settings.json',
  '.cursor/mcp.json',
  '.cursor/hooks.json',
  '.codex/config.toml',
  'AGENTS.md',
  RULES_IMPORT,
  '.hermes/AGENTS.md',
  '.hermes/config.yaml',
]);

export function isShared(path: string): boolean {
  return SHARED.has(path);
}

export const EDITED_FILES: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['.mcp.json', RULES_IMPORT],
  cursor: ['.cursor/mcp.json'],
  codex: ['.codex/config.toml', 'AGENTS.md'],
  hermes: ['.hermes/config.yaml'],
};

/** True if CLAUDE.md has the user's text without an import: catalog adds none (rules-imports.ts). */
export function lacksImport(content: string): boolean {
  const own = content.replace(/<!-- catalog:begin:(\S+) -->\n[^]*?<!-- catalog:end:\1 -->\n?/g, '');
  return own.trim() !== '' && !/^@AGENTS\.md$/m.test(content);
}

export interface UserEntry {
  text: string;
  /** Name of the artifact at whose position the entry is; undefined if no artifact needs it. */
  name?: string;
  /** True if an interrupted `--take-over` may have made it catalog's. */
  doubtful?: true;
}

export function hasPlace(path: string, content: string, { name }: UserEntry): boolean {
  if (name === undefined) return false;
  if (path.endsWith('.json')) return content.includes(`"${name}": {`);
  if (path.endsWith('.toml')) return content.includes(`[mcp_servers.${name}]`);
  if (path.endsWith('.yaml')) return content.includes(`\n  ${name}:\n`);
  return content.includes(`catalog:begin:${name} `);
}

/** Adds an entry to a shared file like a user; undefined if no position is suitable. */
export function addUserEntry(
  path: string,
  content: string | undefined,
  key: string,
  value: string,
): { content: string; entry: UserEntry } | undefined {
  const add = path.endsWith('.json')
    ? addToJson
    : path.endsWith('.toml')
      ? addToToml
      : path.endsWith('.yaml')
        ? addToYaml
        : addToMarkdown;
  return add(content, key, value);
}

type AddEntry = (
  content: string | undefined,
  key: string,
  value: string,
) => { content: string; entry: UserEntry } | undefined;

const addToJson: AddEntry = (content, key, value) => {
  const text = `"${key}": {\n      "command": "npx",\n      "args": ["${value}"]\n    }`;
  if (content?.includes(`"${key}"`) === true) return undefined;
  if (content === undefined || content.trim() === '{}') {
    return {
      content: `{\n  // mine\n  "mcpServers": {\n    ${text}\n  }\n}\n`,
      entry: { text },
    };
  }
  const at = /"mcpServers": \{(?<empty>\s*\})?/.exec(content);
  if (at === null) return undefined;
  const end = at.index + '"mcpServers": {'.length;
  const separator = at.groups?.['empty'] === undefined ? ',' : '\n  ';
  return {
    content: `${content.slice(0, end)}\n    ${text}${separator}${content.slice(end)}`,
    entry: { text },
  };
};

const addToToml: AddEntry = (content = 'model = "mine"\n', key, value) => {
  const text = `[mcp_servers.${key}]\ncommand = "npx"\nargs = ["${value}"]`;
  if (content.includes(`[mcp_servers.${key}]`)) return undefined;
  return { content: `${content}\n${text}\n`, entry: { text } };
};

const addToYaml: AddEntry = (content = '# mine\n', key, value) => {
  const text = `  ${key}:\n    command: npx\n    args:\n      - ${value}\n`;
  if (content.includes(`  ${key}:\n`)) return undefined;
  const head = 'mcp_servers:\n';
  const added = content.includes(head)
    ? content.replace(head, head + text)
    : `${content}${head}${text}`;
  return { content: added, entry: { text } };
};

const addToMarkdown: AddEntry = (content = '# Mine\n', key, value) => {
  const block = `<!-- catalog:begin:${key} -->\n${value}\n<!-- catalog:end:${key} -->\n`;
  const text = key.includes('/') ? block : `Note ${key}: ${value}.\n`;
  if (content.includes(`catalog:begin:${key} `)) return undefined;
  return { content: `${content}\n${text}`, entry: { text } };
};
