import type { Artifact } from '../artifact/types.ts';
import type { Severity } from './diagnostic.ts';
import type { Finding } from './finding.ts';

/** If the support is not native, `reason` describes the alternative or the cause. */
export type HarnessCell = Support | { support: Support; reason: string };

type Support = 'native' | 'fallback' | 'unsupported';

export interface HarnessColumn {
  cells: Readonly<Record<string, HarnessCell>>;
  warnings?: (artifact: Artifact) => readonly HarnessWarning[];
  /** Absent if rules without `target_harnesses` are not checked for this harness. */
  name_untargeted?: string;
}

/** A row of the matrix with the effect, as a sentence without a period. */
export interface HarnessWarning {
  capability: string;
  reason: string;
}

/** By the names that `target_harnesses` accepts: neutral labels and brand profiles. */
export type HarnessCapabilities = ReadonlyMap<string, HarnessColumn>;

export interface ProviderFinding {
  severity: Severity;
  message: string;
  /** Default: `lint.type_provider`. */
  code?: string;
  fix?: string;
  path?: readonly (string | number)[];
}

export interface TypeProvider {
  validate(artifact: Artifact): readonly ProviderFinding[];
}

/** In bytes: larger bundled files cause a warning, and larger packages are rejected. */
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
