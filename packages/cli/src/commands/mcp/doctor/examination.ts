export interface Problem {
  what: string;
  next: string;
}

export interface ExaminedFile {
  path: string;
  entry: 'found' | 'missing' | 'switched-off' | 'unreadable';
}

export interface ExaminedProgram {
  command: string;
  path: string | undefined;
  version: string | undefined;
}

/** Settings in the environment of the server, read as the server reads them. */
export interface ExaminedSettings {
  registry: string | undefined;
  identity: string;
  harness: string;
  cache_mode: string;
  cache: string;
  overlay: string | undefined;
  /** Folder for artifacts if the host names none. */
  writes_to: string | undefined;
}

export interface ToolResult {
  tool: string;
  ms: number | undefined;
  answer: string;
  problem?: Problem;
  /** True if the response came from the cache, because the registry was unavailable. */
  offline: boolean;
  code?: string;
}

export interface ProtocolProbe {
  revision: string;
  start_ms: number | undefined;
  tools: ToolResult[];
  problems: Problem[];
}

/** State of the registry, as far as tool calls show it. */
export type RegistryState = 'answers' | 'unreachable' | 'refuses' | 'not-asked';

export interface Examination {
  harness: string | undefined;
  file: ExaminedFile | undefined;
  program: ExaminedProgram;
  settings: ExaminedSettings | undefined;
  registry_state: RegistryState;
  eras: ProtocolProbe[];
  problems: Problem[];
}
