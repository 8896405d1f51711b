export const KEY_READERS = [
  'hooks',
  'servers',
  'commands',
  'tools',
  'permissions',
  'permission',
  'variables',
  'plugins',
  'external_files',
] as const;
export type KeyReader = (typeof KEY_READERS)[number];

/**
 * Top-level keys of frontmatter and settings that harnesses act on. `mcpServers`, `mcp_servers` and `mcp-servers` are
 * the same key (`normalizeKey`).
 */
export const EXECUTABLE_KEYS: Readonly<Record<KeyReader, readonly string[]>> = {
  hooks: ['hooks', 'hook'],
  servers: ['mcpServers', 'mcpServer', 'mcp', 'servers', 'context_servers', 'managedMcpServers'],
  commands: [
    'command',
    'cmd',
    'run',
    'exec',
    'script',
    'statusLine',
    'subagentStatusLine',
    'apiKeyHelper',
    'awsAuthRefresh',
    'awsCredentialExport',
    'gcpAuthRefresh',
    'otelHeadersHelper',
    'headersHelper',
    'http_headers_helper',
    'proxyAuthHelper',
    'policyHelper',
    'policyHelpers',
    'fileSuggestion',
    'processWrapper',
    'sshHostCommands',
    'toolDiscoveryCommand',
    'toolCallCommand',
    'notify',
    'lspServers',
    'lsp',
    'formatter',
    'monitors',
  ],
  tools: ['allowed-tools', 'tools', 'autoApprove', 'alwaysAllow', 'autoApprovedTools'],
  permissions: ['permissions', 'permission'],
  permission: [
    'permissionMode',
    'approvalMode',
    'approval_policy',
    'sandbox',
    'sandbox_mode',
    'defaultMode',
    'trust',
    'yolo',
    'autoAccept',
    'additionalDirectories',
    'enableAllProjectMcpServers',
    'enabledMcpjsonServers',
    'skipDangerousModePermissionPrompt',
    'hooks_auto_accept',
    'toolsSettings',
    'includeMcpJson',
    'shell',
  ],
  variables: [
    'env',
    'environment',
    'environmentVariables',
    'env_vars',
    'required_environment_variables',
  ],
  plugins: [
    'plugin',
    'plugins',
    'enabledPlugins',
    'extraKnownMarketplaces',
    'additionalMarketplaces',
    'prependPlugins',
    'appendPlugins',
    'packages',
    'dependencies',
  ],
  external_files: ['external_resources'],
};

/**
 * Keys that neither run nor grant anything, such as prose or a choice of the model. Maps inside their values are still
 * checked.
 */
export const INERT_KEYS: readonly string[] = [
  'type',
  'version',
  'name',
  'description',
  'license',
  'when_to_use',
  'tags',
  'sensitivity',
  'search_visibility',
  'deprecated',
  'replaced_by',
  'release_notes',
  'audit_redact',
  'lint_suppress',
  'source',
  'imported_from',
  'extends',
  'target_harnesses',
  'signature',
  'requiresApproval',
  'runtime_requirements',
  'sandbox_profile',
  'effort_hint',
  'model_class_hint',
  'delegates_to',
  'rule_mode',
  'rule_globs',
  'rule_description',
  'rule_fallback',
  'hook_timeout',
  'compatibility',
  'url',
  'transport',
  'title',
  'summary',
  'displayName',
  'author',
  'authors',
  'owner',
  'homepage',
  'repository',
  'keywords',
  'category',
  'categories',
  'icon',
  'color',
  'language',
  'platforms',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'disallowed-tools',
  'disabledTools',
  'excludeTools',
  'includeTools',
  'excludedTools',
  'denied_tools',
  'timeout',
  'deny',
  'readonly',
  'model',
  'effort',
  'reasoningEffort',
  'context',
  'agent',
  'agents',
  'skills',
  'handoffs',
  'mode',
  'kind',
  'temperature',
  'top_p',
  'steps',
  'variant',
  'hidden',
  'disable',
  'subtask',
  'background',
  'is_background',
  'memory',
  'isolation',
  'maxTurns',
  'timeout_mins',
  'initialPrompt',
  'prompt',
  'paths',
  'globs',
  'alwaysApply',
  'applyTo',
  'excludeAgent',
  'inclusion',
  'fileMatchPattern',
  'trigger',
  'keep-coding-instructions',
];

/** Keys whose values may contain any name, such as a schema. */
export const OPAQUE_KEYS: readonly string[] = ['input', 'output', 'sbom'];

export const NARROW_VALUES: readonly string[] = [
  'false',
  'default',
  'plan',
  'manual',
  'ask',
  'deny',
  'strict',
  'untrusted',
  'read-only',
  'readonly',
  'bash',
  'powershell',
];

/** Normalizes a key: ignores case, hyphens, underscores, and everything before the last dot, as in `amp.mcpServers`. */
export function normalizeKey(key: string): string {
  return key
    .slice(key.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
}

const READERS: ReadonlyMap<string, KeyReader> = new Map(
  KEY_READERS.flatMap((reader) =>
    EXECUTABLE_KEYS[reader].map((key) => [normalizeKey(key), reader] as const),
  ),
);
const INERT: ReadonlySet<string> = new Set(INERT_KEYS.map(normalizeKey));
const OPAQUE: ReadonlySet<string> = new Set(OPAQUE_KEYS.map(normalizeKey));

export function keyReader(key: string): KeyReader | 'inert' | 'opaque' | 'unknown' {
  const name = normalizeKey(key);
  const reader = READERS.get(name);
  if (reader !== undefined) return reader;
  if (OPAQUE.has(name)) return 'opaque';
  return INERT.has(name) ? 'inert' : 'unknown';
}
