/**
 * Executable content of an artifact: something a harness would run, or something that widens what
 * the harness may do without asking. Each capability carries the facts to show to a person, and
 * `capabilityKey` identifies it.
 *
 * Not to be confused with `UsedCapability` (`artifact/capabilities-used.ts`), which lists what an
 * artifact needs a harness to support.
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

/** What gets started or contacted. Names only for headers and variables: values may be secret. */
export interface Invocation {
  command?: string;
  args: readonly string[];
  url?: string;
  /** Names of the HTTP headers sent to `url`. */
  headers: readonly string[];
  /** Names of the environment variables that are set or read. */
  variables: readonly string[];
}

interface Declared {
  /** The file that declares the capability, relative to the package: `SKILL.md`. */
  file: string;
}

interface Hashed {
  /** SHA-256 of what was declared, or of the file's content; `sha256:<hex>`. */
  hash: string;
}

interface Keyed {
  /** Path of the key in the file: `permissions.allow`. */
  key: string;
}

/** Something a harness runs when an event occurs. */
export interface HookCapability extends Declared, Hashed, Invocation {
  kind: 'hook';
  /** The event as declared: `PreToolUse`, `session_start`. Empty if none is named. */
  event: string;
  /** The tools or situations the hook is limited to. */
  matcher?: string;
  /** Handler type as declared: `command`, `http`, `mcp_tool`, `prompt`, `agent`. */
  action: string;
  /** The prompt of a handler that sends one to a model. */
  prompt?: string;
}

/** An MCP server that is started, contacted, or used by name (no command and no URL). */
export interface McpServerCapability extends Declared, Hashed, Invocation {
  kind: 'mcp_server';
  name: string;
}

/** A command in a setting: status line, credential helper, language server, monitor. */
export interface CommandCapability extends Declared, Hashed, Invocation, Keyed {
  kind: 'command';
}

/** A tool that may be used, or used without asking. */
export interface AllowedToolCapability extends Declared, Keyed {
  kind: 'allowed_tool';
  tool: string;
}

/** A setting that changes what needs approval: permission mode, sandbox, extra directories. */
export interface PermissionCapability extends Declared, Keyed {
  kind: 'permission';
  /** The value as text; canonical JSON if it is a list or a map. */
  value: string;
}

/** An environment variable that a harness sets, or asks the user for and passes on. */
export interface EnvironmentVariableCapability extends Declared, Hashed {
  kind: 'environment_variable';
  name: string;
}

/** Code from elsewhere that a harness installs or loads: a plugin, package or marketplace. */
export interface PluginCapability extends Declared, Keyed {
  kind: 'plugin';
  /** Name, version and origin as declared. */
  source: string;
}

/** A shell command inside prose that a harness runs before the model reads the text. */
export interface InlineCommandCapability extends Declared {
  kind: 'inline_command';
  command: string;
}

/** A bundled script or program, or a bundled file that a command names. */
export interface ScriptCapability extends Declared, Hashed {
  kind: 'script';
  /** Whether the executable bit is set. */
  executable: boolean;
}

/** A bundled file with settings that harnesses or their tools read. */
export interface ConfigurationFileCapability extends Declared, Hashed {
  kind: 'configuration_file';
}

/** A key catalog does not know, whose name or value looks like something that runs. */
export interface UnknownExecutableKeyCapability extends Declared, Hashed, Keyed {
  kind: 'unknown_executable_key';
  /** The value as text; canonical JSON if it is a list or a map. */
  value: string;
}

/** A file with frontmatter that cannot be read or names too many arguments, so anything may run. */
export interface UnreadableFileCapability extends Declared, Hashed {
  kind: 'unreadable_file';
}

/** Stands for everything beyond the first `limit` capabilities. */
export interface TruncatedCapability extends Hashed {
  kind: 'truncated';
  limit: number;
}

/** Every kind in the order in which capabilities are listed, with a description for the reference. */
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
