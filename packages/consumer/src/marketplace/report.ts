import type { MarketplaceRendering } from '@catalog/harness/marketplace/render-marketplace';

/** Step of a marketplace; with `--check` and `--dry-run`, one that would run. */
export interface StepReport {
  step: 'prepare' | 'publish' | 'prepare_on_error' | 'publish_on_error' | 'git';
  command: string;
  /** Result; `not-run` with `--check` and `--dry-run`, or after a failure. */
  outcome: 'done' | 'failed' | 'skipped' | 'not-run';
}

export interface MarketplaceReport {
  plugins: MarketplaceRendering['plugins'];
  steps: StepReport[];
  commit?: string;
}
