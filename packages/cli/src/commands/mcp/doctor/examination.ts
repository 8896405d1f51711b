/** Something that keeps the tools away, and what to do about it. */
export interface Problem {
  what: string;
  next: string;
}

/** The harness's own file, and whether it starts catalog-mcp. */
export interface ExaminedFile {
  /** Absolute. */
  path: string;
  entry: 'found' | 'missing' | 'switched-off' | 'unreadable';
}

/** The program an entry names. */
export interface ExaminedProgram {
  command: string;
  /** Undefined where nothing of that name is found. */
  path: string | undefined;
  /** Undefined where it does not say. */
  version: string | undefined;
}

/** What the server was told by its surroundings, as it would read it. */
export interface ExaminedSettings {
  registry: string | undefined;
  /** How the registry knows who asks. */
  identity: string;
  harness: string;
  cache_mode: string;
  cache: string;
  overlay: string | undefined;
  /** The folder it writes into where the host names none; undefined where there is none. */
  writes_to: string | undefined;
}

/** One call of one tool. */
export interface ToolAnswer {
  tool: string;
  /** Undefined where there was nothing to call it with. */
  ms: number | undefined;
  /** What came back, in a few words. */
  answer: string;
  /** Undefined where it is as it should be. */
  problem?: Problem;
  /** It came from the cache, as the registry could not be reached. */
  offline: boolean;
  /** The code of the error it came back with. */
  code?: string;
}

/** A whole conversation in one revision of the protocol. */
export interface EraWalk {
  revision: string;
  /** From the start of the program to its first answer; undefined where there was none. */
  start_ms: number | undefined;
  tools: ToolAnswer[];
  problems: Problem[];
}

/** What the calls of the tools showed of the registry. */
export type RegistryState = 'answers' | 'unreachable' | 'refuses' | 'not-asked';

/** Everything that was looked at. */
export interface Examination {
  harness: string | undefined;
  file: ExaminedFile | undefined;
  program: ExaminedProgram;
  settings: ExaminedSettings | undefined;
  registry_state: RegistryState;
  eras: EraWalk[];
  problems: Problem[];
}
