import type { Artifact } from '../artifact/types.ts';
import type { Severity } from './diagnostic.ts';
import type { Finding } from './finding.ts';

/** How a harness takes one capability; where it is not natively, also what happens instead, or why. */
export type HarnessCell = Support | { support: Support; reason: string };

type Support = 'native' | 'fallback' | 'unsupported';

/** What one harness can take. */
export interface HarnessColumn {
  cells: Readonly<Record<string, HarnessCell>>;
  /** What of one artifact it takes otherwise than authored, beside what its cells say. */
  warnings?: (artifact: Artifact) => readonly HarnessWarning[];
  /**
   * How to name the harness in a warning about a rule that lists no `target_harnesses`. Absent if
   * such rules are not checked for this harness.
   */
  name_untargeted?: string;
}

/** A row of the matrix, and what happens instead, as a sentence without a full stop. */
export interface HarnessWarning {
  capability: string;
  reason: string;
}

/**
 * What every harness can take, by the names `target_harnesses` may use: neutral labels and brand
 * profiles alike. Lint knows no harness by itself.
 */
export type HarnessCapabilities = ReadonlyMap<string, HarnessColumn>;

/** What a type provider says about one artifact of its type. */
export interface ProviderFinding {
  severity: Severity;
  message: string;
  /** The provider's own code; `lint.type_provider` when it has none. */
  code?: string;
  fix?: string;
  /** The frontmatter value it is about; the whole file when absent. */
  path?: readonly (string | number)[];
}

/** The checks an extension type brings along. */
export interface TypeProvider {
  validate(artifact: Artifact): readonly ProviderFinding[];
}

/** Sizes in bytes past which a bundled file is warned of, and a package refused. */
export interface LintLimits {
  file_bytes: number;
  package_bytes: number;
}

export const DEFAULT_LIMITS: LintLimits = {
  file_bytes: 1_048_576,
  package_bytes: 10_485_760,
};

/** The ids there are, as far as somebody asks. */
export type KnownIds = Pick<ReadonlySet<string>, 'has'>;

/** Everything a rule may know beside the artifact itself. */
export interface LintContext {
  /** Ids a link in prose may name. */
  known_ids: KnownIds;
  capabilities: HarnessCapabilities;
  /** Extension types and their checks; the first-class types need none. */
  type_providers?: ReadonlyMap<string, TypeProvider>;
  limits?: LintLimits;
}

/** A rule about one artifact: a pure function of it and the context. */
export type ArtifactRule = (artifact: Artifact, context: LintContext) => readonly Finding[];
