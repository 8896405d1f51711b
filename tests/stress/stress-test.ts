/** A stress test: plays random histories and checks the rules after each step, or runs once (`singleRun`). */
export interface StressTest {
  name: string;
  summary: string;
  /** Number of histories, or the size of each if `histories` is given. */
  n: number;
  /** Number of histories of a test whose histories have a size. */
  histories?: number;
  /** Value of `n` in `./dev stress --small`, which runs all tests that have one. */
  small_n?: number;
  /** Planted bugs the test must find, relative to the root. */
  bugs?: string;
  /** Value of `n` for a planted bug; `n` if missing. */
  bug_n?: number;
  /** Uses the servers of the tests, which `./dev stress` starts if they are missing. */
  servers?: true;
  /** Uses the built program, which `./dev stress` builds. */
  is_built?: true;
  /** Depends on time: in `./dev stress --small`, no other test runs at the same time. */
  alone?: true;
  /** Number of workers unless `--workers` is given, for histories that measure time. */
  max_workers?: number;
  /** Time limit of one history; one minute unless given. */
  timeout_ms?: number;
  /** Returns why the test cannot run on this machine; undefined if it can. */
  unavailable?(): string | undefined;
  /** Opens the test in a folder of its own. */
  open(folder: string, size: number): StressSession;
}

export interface StressSession {
  /** Fulfilled when the first history can be played; at once if missing. */
  opened?: Promise<unknown>;
  /** Plays the history of a seed. */
  play(seed: string): Promise<StressResult>;
  /** Plays it again without the steps it fails without; undefined if it does not fail. */
  shrink?(seed: string): Promise<Shrunk | undefined>;
  /** Stops the servers and browsers that the session started. */
  close?(): Promise<void>;
}

export interface StressResult {
  counts: Readonly<Record<string, number>>;
  /** How the first step that broke a rule broke it; empty if none did. */
  problems: string[];
  /** Measured values and sizes of a single run. */
  notes?: readonly string[];
}

export interface Shrunk {
  /** A line for each step, and the setup first. */
  steps: string[];
  problems: string[];
}
