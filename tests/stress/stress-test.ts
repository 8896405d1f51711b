/** Random histories with checks after each step, or a single run (`singleRun`). */
export interface StressTest {
  name: string;
  summary: string;
  /** Number of histories, or the size of each if `histories` is set. */
  n: number;
  /** Number of histories of a test whose histories have a size. */
  histories?: number;
  /** Value of `n` in `./dev stress --small`, which runs all tests that have one. */
  small_n?: number;
  /** Path of the planted bugs that the test must find. */
  bugs?: string;
  /** Value of `n` for a planted bug; by default `n`. */
  bug_n?: number;
  /** True if the test uses the test servers, which `./dev stress` starts if they are missing. */
  servers?: true;
  /** True if the test uses the built program, which `./dev stress` builds. */
  is_built?: true;
  /** True if it depends on time: no other test may run with it in `./dev stress --small`. */
  alone?: true;
  /** Default for `--workers`, for histories that measure time. */
  max_workers?: number;
  /** Timeout of a history; one minute by default. */
  timeout_ms?: number;
  /** Returns the reason why the test cannot run on this machine; undefined if it can. */
  unavailable?(): string | undefined;
  open(folder: string, size: number): StressSession;
}

export interface StressSession {
  /** Resolves when the first history can be played; immediately if undefined. */
  opened?: Promise<unknown>;
  play(seed: string): Promise<StressResult>;
  /** Removes steps that the failure does not need; undefined if the history succeeds. */
  shrink?(seed: string): Promise<Shrunk | undefined>;
  close?(): Promise<void>;
}

export interface StressResult {
  counts: Readonly<Record<string, number>>;
  /** Problems of the first step that violated a rule; empty if no step did. */
  problems: string[];
  notes?: readonly string[];
}

export interface Shrunk {
  /** The setup, then one line for each step. */
  steps: string[];
  problems: string[];
}
