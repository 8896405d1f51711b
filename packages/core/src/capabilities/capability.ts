/** Content that a harness would run, or that extends its permissions. `capabilityKey` identifies it. */
export type ExecutableCapability =
  | HookCapability
  | McpServerCapability
  | CommandCapability
  | AllowedToolCapability
  | PermissionCapability
  | EnvironmentVariableCapability
  | PluginCapability
  | InlineCommandCapability
  | ScriptCapability
  | ConfigurationFileCapability
  | UnknownExecutableKeyCapability
  | UnreadableFileCapability
  | TruncatedCapability;

export type CapabilityKind = ExecutableCapability['kind'];

/**
 * Command or URL of a capability. Of headers and environment variables only the names are kept, because values may be
 * secret.
 */
export interface Invocation {
  command?: string;
  args: readonly string[];
  url?: string;
  headers: readonly string[];
  variables: readonly string[];
}

interface Declared {
  /** File that declares the capability, relative to the package. */
  file: string;
}

interface Hashed {
  /** SHA-256 hash of the declaration, or of the file, as `sha256:<hex>`. */
  hash: string;
}

interface Keyed {
  key: string;
}

export interface HookCapability extends Declared, Hashed, Invocation {
  kind: 'hook';
  /** Event as declared, such as `PreToolUse` or `session_start`; empty if there is none. */
  event: string;
  matcher?: string;
  /** Handler type as declared: `command`, `http`, `mcp_tool`, `prompt`, `agent`. */
  action: string;
  prompt?: string;
}

/** An MCP server that is started, connected to, or used by name. */
export interface McpServerCapability extends Declared, Hashed, Invocation {
  kind: 'mcp_server';
  name: string;
}

export interface CommandCapability extends Declared, Hashed, Invocation, Keyed {
  kind: 'command';
}

export interface AllowedToolCapability extends Declared, Keyed {
  kind: 'allowed_tool';
  tool: string;
}

export interface PermissionCapability extends Declared, Keyed {
  kind: 'permission';
  /** The value, or canonical JSON for a list or a map. */
  value: string;
}

export interface EnvironmentVariableCapability extends Declared, Hashed {
  kind: 'environment_variable';
  name: string;
}

export interface PluginCapability extends Declared, Keyed {
  kind: 'plugin';
  source: string;
}

/** Shell command in a prompt, which a harness runs before the model reads the prompt. */
export interface InlineCommandCapability extends Declared {
  kind: 'inline_command';
  command: string;
}

export interface ScriptCapability extends Declared, Hashed {
  kind: 'script';
  executable: boolean;
}

export interface ConfigurationFileCapability extends Declared, Hashed {
  kind: 'configuration_file';
}

export interface UnknownExecutableKeyCapability extends Declared, Hashed, Keyed {
  kind: 'unknown_executable_key';
  value: string;
}

/** File whose frontmatter is unreadable or has too many arguments, so that it could run anything. */
export interface UnreadableFileCapability extends Declared, Hashed {
  kind: 'unreadable_file';
}

export interface TruncatedCapability extends Hashed {
  kind: 'truncated';
  limit: number;
}

/** All kinds of capabilities in the order of lists, with a description for the reference. */
export const CAPABILITY_KINDS: Readonly<Record<CapabilityKind, string>> = {
  hook: 'A command, HTTP request, MCP tool call, or prompt that a harness runs when an event occurs.',
  mcp_server:
    'An MCP server, with its command and arguments or its URL, and the names of headers and environment variables.',
  command:
    'A command in a setting, such as a status line, credential helper, language server, or monitor.',
  allowed_tool: 'A tool that may be used, or used without approval.',
  permission: 'A setting that changes what needs approval, such as a permission mode.',
  environment_variable:
    'An environment variable that the harness sets, or requests from the user and passes on.',
  plugin: 'A plugin, package, or marketplace that the harness installs or loads.',
  inline_command:
    'A shell command inside prose that a harness runs before the model reads the text.',
  script: 'A bundled script or program, by path and hash.',
  configuration_file:
    'A bundled file with settings that harnesses or their tools read, by path and hash.',
  unknown_executable_key:
    'A key that catalog does not know and whose name or value looks executable, or a string in a known key that a harness might run although no other kind shows it, such as the value of `NODE_OPTIONS`.',
  unreadable_file:
    'A file whose frontmatter cannot be read, or names more than 64 arguments or one with more than 64 characters, by path and hash.',
  truncated: 'Represents all further capabilities of an artifact that has too many to list.',
};
