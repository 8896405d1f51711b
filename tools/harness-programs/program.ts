import type { DemoServer } from './demo-server.ts';
import type { Fixture } from './fixtures.ts';
import type { Recorder } from './recorder.ts';

export const kinds = [
  'skill',
  'agent',
  'command',
  'rule',
  'hook',
  'mcp-server',
  'marketplace',
  'catalog-mcp',
] as const;

export type Kind = (typeof kinds)[number];

/** Includes duplicates. */
export type Loaded = Readonly<Partial<Record<Kind, readonly string[]>>>;

export interface InstalledProgram {
  words: string[];
  env: Record<string, string>;
}

export interface Session {
  program: InstalledProgram;
  workspace: string;
  home: string;
  recorder: Recorder;
  server: DemoServer;
}

export interface Observation extends Session {
  fixture: Fixture;
}

export interface HarnessProgram {
  name: string;
  title: string;
  version: string;
  profile: string;
  /** Absent for a product that cannot be installed; its published schemas are used instead. */
  installs?: PinnedProgram;
  stands_in?: string;
  /** Profiles that share folders, with this one. Each skill must still appear once. */
  together?: readonly string[];
  /** True if the program searches the project for skills and lists them. */
  scans?: true;
  /** Most files are in the home folder. The workspace then contains `project` and `home`. */
  with_home?: true;
  expects: (fixture: Fixture, profiles: 'one' | 'several') => Loaded;
  observe: (asking: Observation) => Promise<Loaded>;
  breaks: Readonly<Partial<Record<Kind, (workspace: string) => void>>>;
  marketplace?: MarketplaceCheck;
  /**
   * Returns true if the program has started `catalog-mcp` with the output of `catalog mcp config`. In
   * the broken workspace, the executable of the server is missing.
   */
  isConnected?: (asking: Observation) => Promise<boolean>;
}

export interface MarketplaceCheck {
  harnesses: readonly string[];
  expects: readonly string[];
  observe: (asking: Observation) => Promise<string[]>;
  breaks: (folder: string) => void;
}

export interface PinnedProgram {
  from: 'npm' | 'pypi';
  /** Folder in `pinned/` that lists every package with its hash. */
  pinned: string;
  command: string;
}
