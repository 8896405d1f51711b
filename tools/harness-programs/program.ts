import type { DemoServer } from './demo-server.ts';
import type { Fixture } from './fixtures.ts';
import type { Recorder } from './recorder.ts';

/** What a program can be asked about. */
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

/** What a program has loaded, by kind: names, each as often as the program has it. */
export type Loaded = Readonly<Partial<Record<Kind, readonly string[]>>>;

/** What starts an installed program. */
export interface InstalledProgram {
  words: string[];
  env: Record<string, string>;
}

/** A program in one workspace, with a home folder, a model and a server of its own. */
export interface Session {
  program: InstalledProgram;
  workspace: string;
  home: string;
  recorder: Recorder;
  server: DemoServer;
}

/** One asking: a program over one workspace, with a home folder nobody used before. */
export interface Asking extends Session {
  /** What the workspace was made from: names to look for. */
  fixture: Fixture;
}

/** A program that judges what a profile writes. */
export interface HarnessProgram {
  /** The word of `./dev harness-programs`. */
  name: string;
  /** What it calls itself. */
  title: string;
  version: string;
  /** The profile it judges. */
  profile: string;
  /** Absent for a product that cannot be installed: its published schemas judge. */
  installs?: PinnedProgram;
  /** Why it is not the product itself that judges. */
  stands_in?: string;
  /** Profiles that share folders with it, and itself: each skill must still be seen once. */
  together?: readonly string[];
  /** It looks for skills in a project itself, and lists what it found. */
  scans?: true;
  /** It keeps most in the home folder: the workspace then has `project` and `home` in it. */
  with_home?: true;
  /** What it must have loaded from a workspace made of this fixture, by its profile or by several. */
  expects: (fixture: Fixture, profiles: 'one' | 'several') => Loaded;
  observe: (asking: Asking) => Promise<Loaded>;
  /** Damages a workspace so that this kind can no longer be what is expected. */
  breaks: Readonly<Partial<Record<Kind, (workspace: string) => void>>>;
  marketplace?: MarketplaceCheck;
  /**
   * Whether it has started `catalog-mcp` by what `catalog mcp config` wrote, and is connected. In the
   * broken workspace the program that is to be started is not there.
   */
  isConnected?: (asking: Asking) => Promise<boolean>;
}

/** A program as judge of what a marketplace target renders for it. */
export interface MarketplaceCheck {
  /** The harnesses of the target. */
  harnesses: readonly string[];
  /** What it must say of the small fixture as one plugin. */
  expects: readonly string[];
  /** The workspace is the rendered folder. */
  observe: (asking: Asking) => Promise<string[]>;
  breaks: (folder: string) => void;
}

export interface PinnedProgram {
  from: 'npm' | 'pypi';
  /** The folder in `pinned/` that lists every package with its hash. */
  pinned: string;
  /** The program, below the folder it was installed into. */
  command: string;
}
