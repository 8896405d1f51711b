import type { MarketplaceRendering } from '@catalog/harness/marketplace/render-marketplace';

/** One thing a marketplace run did, or under `--check` and `--dry-run` would do. */
export interface StepReport {
  step: 'prepare' | 'publish' | 'prepare_on_error' | 'publish_on_error' | 'git';
  /** The command as it was run; for `git` what was done. */
  command: string;
  /** `not-run`: nothing runs under `--check` and `--dry-run`, or after a failure. */
  outcome: 'done' | 'failed' | 'skipped' | 'not-run';
}

/** What a run made of a marketplace, beside its files. */
export interface MarketplaceReport {
  /** Each plugin in each format. */
  plugins: MarketplaceRendering['plugins'];
  steps: StepReport[];
  /** The commit that was pushed; absent where nothing was. */
  commit?: string;
}
