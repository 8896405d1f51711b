/** A part of a plugin that can become artifacts. */
export type Component = 'skills' | 'commands' | 'agents' | 'rules' | 'hooks' | 'mcpServers';

/** Layout of the plugins of one product. Paths are relative to the plugin. */
export interface PluginFormat {
  /** The harness whose forms its components have. */
  harness: string;
  title: string;
  manifest: string;
  /** Lists the plugins of a repository. */
  marketplace: string | undefined;
  /** Default place of each component: a folder, a template, or a file; empty if only the manifest has it. */
  components: Readonly<Partial<Record<Component, string>>>;
  /** A file of prose that is always loaded. */
  prose?: string;
  /** Components that no artifact type has. */
  without_type: readonly string[];
}

export const PLUGIN_FORMATS: readonly PluginFormat[] = [
  {
    harness: 'claude-code',
    title: 'Claude Code plugin',
    manifest: '.claude-plugin/plugin.json',
    marketplace: '.claude-plugin/marketplace.json',
    components: {
      skills: 'skills',
      commands: 'commands/{name}.md',
      agents: 'agents/{name}.md',
      hooks: 'hooks/hooks.json',
      mcpServers: '.mcp.json',
    },
    without_type: [
      'bin',
      'monitors',
      'output-styles',
      'themes',
      'workflows',
      '.lsp.json',
      'settings.json',
    ],
  },
  {
    harness: 'codex',
    title: 'Codex plugin',
    manifest: '.codex-plugin/plugin.json',
    marketplace: '.agents/plugins/marketplace.json',
    components: { skills: 'skills', hooks: 'hooks/hooks.json', mcpServers: '.mcp.json' },
    without_type: ['commands', '.app.json'],
  },
  {
    harness: 'cursor',
    title: 'Cursor plugin',
    manifest: '.cursor-plugin/plugin.json',
    marketplace: '.cursor-plugin/marketplace.json',
    components: {
      skills: 'skills',
      commands: 'commands/{name}.md',
      agents: 'agents/{name}.md',
      rules: 'rules/{name}.mdc',
      hooks: 'hooks/hooks.json',
      mcpServers: 'mcp.json',
    },
    without_type: [],
  },
  {
    harness: 'gemini-cli',
    title: 'Gemini CLI extension',
    manifest: 'gemini-extension.json',
    marketplace: undefined,
    components: {
      skills: 'skills',
      commands: 'commands/{name}.toml',
      agents: 'agents/{name}.md',
      hooks: 'hooks/hooks.json',
      mcpServers: '',
    },
    prose: 'GEMINI.md',
    without_type: ['policies'],
  },
];

/** The `server.json` of the MCP registry. */
export const SERVER_MANIFEST = 'server.json';

/** Members of a manifest that describe the plugin and hold nothing else. */
export const DESCRIPTIVE_MEMBERS: ReadonlySet<string> = new Set([
  '$schema',
  'author',
  'category',
  'defaultEnabled',
  'description',
  'displayName',
  'homepage',
  'interface',
  'keywords',
  'license',
  'logo',
  'metadata',
  'migratedTo',
  'minClientVersions',
  'name',
  'publisher',
  'repository',
  'source',
  'strict',
  'tags',
  'version',
]);
