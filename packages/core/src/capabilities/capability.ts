/**
 * Content that a harness would run, or that widens what it may do without approval. `capabilityKey`
 * identifies it.
 */
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

/** Headers and variables are names only, because values may be secret. */
export interface Invocation {
  command?: string;
  args: readonly string[];
  url?: string;
  headers: readonly string[];
  variables: readonly string[];
}

interface Declared {
  /** The file that declares the capability, relative to the package: `SKILL.md`. */
  file: string;
}

interface Hashed {
  /** SHA-256 of the declaration, or of the file's content; `sha256:<hex>`. */
  hash: string;
}

interface Keyed {
  key: string;
}

export interface HookCapability extends Declared, Hashed, Invocation {
  kind: 'hook';
  /** The event as declared: `PreToolUse`, `session_start`. Empty if none is named. */
  event: string;
  matcher?: string;
  /** Handler type as declared: `command`, `http`, `mcp_tool`, `prompt`, `agent`. */
  action: string;
  prompt?: string;
}

/** An MCP server that is started, contacted, or used by name (no command and no URL). */
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
  /** String, or canonical JSON if the value is a list or a map. */
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

/** A shell command in the body that a harness runs before the model reads the text. */
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

/** A file with frontmatter that is unreadable or has too many arguments. It could run anything. */
export interface UnreadableFileCapability extends Declared, Hashed {
  kind: 'unreadable_file';
}

export interface TruncatedCapability extends Hashed {
  kind: 'truncated';
  limit: number;
}

/** All kinds in the order in which capabilities are listed, with a description for the reference. */
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
