import type { Artifact } from '../artifact/types.ts';
import type { Severity } from './diagnostic.ts';
import type { Finding } from './finding.ts';

/** Support of a feature. If it is not native, `reason` describes the alternative or the cause. */
export type HarnessCell = Support | { support: Support; reason: string };

type Support = 'native' | 'fallback' | 'unsupported';

export interface HarnessColumn {
  cells: Readonly<Record<string, HarnessCell>>;
  warnings?: (artifact: Artifact) => readonly HarnessWarning[];
  /** Name of the harness in warnings for rules without `target_harnesses`; absent if it is not checked for them. */
  name_untargeted?: string;
}

/** A feature and the effect of using it, as a sentence without a period. */
export interface HarnessWarning {
  capability: string;
  reason: string;
}

/** Support by harness, under all names that `target_harnesses` accepts. */
export type HarnessCapabilities = ReadonlyMap<string, HarnessColumn>;

export interface ProviderFinding {
  severity: Severity;
  message: string;
  /** Code of the finding; the default is `lint.type_provider`. */
  code?: string;
  fix?: string;
  path?: readonly (string | number)[];
}

export interface TypeProvider {
  validate(artifact: Artifact): readonly ProviderFinding[];
}

/** Size limits in bytes: a larger file causes a warning, a larger package is rejected. */
export interface LintLimits {
  file_bytes: number;
  package_bytes: number;
}

export const DEFAULT_LIMITS: LintLimits = {
  file_bytes: 1_048_576,
  package_bytes: 10_485_760,
};

export type KnownIds = Pick<ReadonlySet<string>, 'has'>;

export interface LintContext {
  known_ids: KnownIds;
  capabilities: HarnessCapabilities;
  type_providers?: ReadonlyMap<string, TypeProvider>;
  limits?: LintLimits;
}

export type ArtifactRule = (artifact: Artifact, context: LintContext) => readonly Finding[];
