import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { formatCapability } from '@catalog/core/capabilities/format-capability';
import { compileGlobs } from '@catalog/core/glob/glob';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { shellWord } from '@catalog/core/text/shell-word';
import type { Config } from '../config/types.ts';
import { recordApprovals } from './approvals-file.ts';
import { approve, type Approved } from './approved.ts';
import type { PolicyDecision } from './content-policy.ts';
import { denial, needsApproval, toReported, type InspectedArtifact } from './inspected-content.ts';
import { areTrusted } from './require-trust.ts';

/** Artifacts whose executable content the user is asked to approve. */
export interface ContentRequest {
  artifacts: readonly InspectedArtifact[];
}

/** How executable content is approved. */
export interface ContentOptions {
  /** `--approve`: globs over ids whose executable content the user approves. */
  approve?: readonly string[] | undefined;
  /** `--locked`: exactly what the lock names is written. */
  locked?: boolean;
  /** `--trust-lock`: what the lock names is approved. */
  trust_lock?: boolean;
  /** `CATALOG_MCP_WRITE=all`: the user approves whatever an agent loads. */
  write_all?: boolean;
  /** `--trust`: the files of the workspace are trusted as they are. */
  trust?: boolean;
  /** Asks the user; absent without a terminal. */
  confirmContent?: ((request: ContentRequest) => Promise<boolean>) | undefined;
  /** What the user runs to approve artifacts; `catalog sync --approve` unless given. */
  adviseApproval?: ((artifacts: readonly InspectedArtifact[]) => string) | undefined;
}

type ContentConfig = Pick<Config, 'files' | 'trust_file' | 'approvals_file'>;

/** The executable content that a run may write. */
export type ApprovedContent = Approved<readonly InspectedArtifact[]>;

/**
 * Approves the executable content of a run (SPEC-74). `written` are the artifacts that change
 * something in this run, `delivered` all that the run delivers: `--approve` covers both.
 */
export async function approveContent(
  { written, delivered }: Record<'written' | 'delivered', readonly InspectedArtifact[]>,
  config: ContentConfig,
  options: ContentOptions,
): Promise<ApprovedContent> {
  const refusal = refuseDenied({ delivered });
  if (refusal !== undefined) throw refusal;
  const named = compileGlobs(options.approve ?? [], 'scope');
  const chosen = delivered.filter((artifact) => needsApproval(artifact) && named(artifact.id));
  const open = written.filter((artifact) => needsApproval(artifact) && !named(artifact.id));
  if (open.length > 0 && options.write_all !== true && !(await isLockTrusted(config, options))) {
    const confirmed = await options.confirmContent?.({ artifacts: open });
    if (confirmed !== true) throw consentRequired(open, options.adviseApproval);
    chosen.push(...open);
  }
  record(config, chosen);
  return approve(written);
}

/** For plans without executable content: a removal, an undo, an entry of catalog's own. */
export const NO_CONTENT: ApprovedContent = approve([]);

/** A lock from a clone approves nothing, unless the user trusts the workspace or passes `--trust-lock`. */
async function isLockTrusted(config: ContentConfig, options: ContentOptions): Promise<boolean> {
  if (options.locked !== true) return false;
  if (options.trust_lock === true) return true;
  const workspace = config.files.filter(({ origin }) => origin.kind !== 'user');
  return workspace.length > 0 && (await areTrusted(workspace, config, options));
}

/** Records the content as approved. If that fails, nothing is written: the user would be asked forever. */
function record({ approvals_file }: ContentConfig, artifacts: readonly InspectedArtifact[]): void {
  if (artifacts.length === 0) return;
  try {
    recordApprovals(approvals_file, artifacts.map(toApproval));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(
      'config.invalid',
      `Cannot record the approval in ${approvals_file}: ${why}.`,
      {
        details: { file: approvals_file },
        suggested_action:
          'Make the file writable, or set HOME to a folder of yours, and run again.',
        cause,
      },
    );
  }
}

/** The approval of everything an artifact may run. */
export function toApproval({ registry, id, capabilities }: InspectedArtifact): {
  registry: string;
  id: string;
  keys: string[];
} {
  return { registry, id, keys: capabilities.map(({ key }) => key) };
}

/** Refuses content that a policy denies, such as content that a hook of the configuration added. */
export function refuseDenied({
  delivered,
}: {
  delivered: readonly InspectedArtifact[];
}): CatalogError | undefined {
  const denied = delivered.flatMap((artifact) => {
    const decision = denial(artifact);
    return decision === undefined ? [] : [toDenied(artifact, decision)];
  });
  return denied.length > 0 ? policyDenied(denied) : undefined;
}

/** An artifact that a policy leaves out. */
export interface DeniedArtifact {
  artifact_id: string;
  /** The file or registry whose policy denies it. */
  source: string;
  /** The capabilities that are denied, in words. */
  capabilities: string[];
}

export function toDenied(artifact: InspectedArtifact, { source }: PolicyDecision): DeniedArtifact {
  return {
    artifact_id: artifact.id,
    source,
    capabilities: artifact.capabilities
      .filter(({ decision }) => decision.verdict === 'deny')
      .map(({ capability }) => formatCapability(capability)),
  };
}

export function policyDenied(denied: readonly DeniedArtifact[]): CatalogError {
  const lines = denied.flatMap(({ artifact_id, source, capabilities }) => [
    `  ${artifact_id}, denied by ${escapeControls(source)}`,
    ...capabilities.map((capability) => `    ${capability}`),
  ]);
  const subject = denied.length === 1 ? '1 artifact was' : `${denied.length} artifacts were`;
  return new CatalogError(
    'materialize.policy_denied',
    `${subject} left out because a policy denies executable content:\n${lines.join('\n')}`,
    { details: { artifacts: [...denied] } },
  );
}

/** The lines that describe artifacts to the user: facts only, `+` for what is not approved yet. */
export function describeContent(artifacts: readonly InspectedArtifact[]): string[] {
  return artifacts.flatMap(({ id, version, registry, capabilities }) => [
    `${escapeControls(id)} ${escapeControls(version)} from ${escapeControls(registry)}`,
    ...capabilities.map(
      ({ capability, added }) => `  ${added ? '+' : ' '} ${formatCapability(capability)}`,
    ),
  ]);
}

/** Ids listed in a command; more are covered by a pattern. */
const MAX_IDS = 10;

function adviseSync(artifacts: readonly InspectedArtifact[]): string {
  const ids = [...new Set(artifacts.map(({ id }) => id))];
  const patterns = ids.length > MAX_IDS ? ['**'] : ids;
  const flags = patterns.map((id) => `--approve ${shellWord(id)}`).join(' ');
  return `Check the list, then run \`catalog sync ${flags}\`.`;
}

/** For commands other than `catalog sync`: approve first, then repeat the command. */
export function adviseRepeat(artifacts: readonly InspectedArtifact[]): string {
  const ids = new Set(artifacts.map(({ id }) => shellWord(id)));
  return `Check the list, then run \`catalog trust approve ${[...ids].join(' ')}\` and repeat the command.`;
}

function consentRequired(
  artifacts: readonly InspectedArtifact[],
  advise = adviseSync,
): CatalogError {
  const subject = artifacts.length === 1 ? '1 artifact has' : `${artifacts.length} artifacts have`;
  const lines = describeContent(artifacts).map((line) => `  ${line}`);
  return new CatalogError(
    'materialize.consent_required',
    `Nothing was written: ${subject} executable content that you have not approved (+).\n${lines.join('\n')}`,
    {
      details: { artifacts: artifacts.map(toReported) },
      suggested_action: advise(artifacts),
    },
  );
}
