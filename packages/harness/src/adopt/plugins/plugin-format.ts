export type Component = 'skills' | 'commands' | 'agents' | 'rules' | 'hooks' | 'mcpServers';

/** Format of plugins; paths are relative to the plugin. */
export interface PluginFormat {
  harness: string;
  title: string;
  manifest: string;
  marketplace: string | undefined;
  /** Place of each component: a folder, template or file; empty if only the manifest defines it. */
  components: Readonly<Partial<Record<Component, string>>>;
  prose?: string;
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

export const SERVER_MANIFEST = 'server.json';

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
