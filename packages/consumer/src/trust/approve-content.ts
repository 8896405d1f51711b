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

/** Request for approval of executable content. */
export interface ContentRequest {
  artifacts: readonly InspectedArtifact[];
}

/** Ways to approve executable content: flags, or a prompt. */
export interface ContentOptions {
  /** Patterns of ids whose executable content the user approves. */
  approve?: readonly string[] | undefined;
  /** True to write exactly the versions in the lock. */
  locked?: boolean;
  /** True to approve the versions in the lock. */
  trust_lock?: boolean;
  /** True to approve all artifacts that an agent loads. */
  write_all?: boolean;
  trust?: boolean;
  confirmContent?: ((request: ContentRequest) => Promise<boolean>) | undefined;
  /** Returns the command that the error suggests; `catalog sync --approve` by default. */
  adviseApproval?: ((artifacts: readonly InspectedArtifact[]) => string) | undefined;
}

type ContentConfig = Pick<Config, 'files' | 'trust_file' | 'approvals_file'>;

/** Artifacts that may be written, created by `approveContent`. */
export type ApprovedContent = Approved<readonly InspectedArtifact[]>;

/**
 * Approves executable content (SPEC-74). `written` are the artifacts that change in this run, `delivered` all;
 * `--approve` covers both.
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

/** Approval for plans without executable content: a removal, an undo, an entry of catalog itself. */
export const NO_CONTENT: ApprovedContent = approve([]);

/**
 * Returns true if the user trusts the lock, which may come from a clone: by trusting the workspace, or with
 * `--trust-lock`.
 */
async function isLockTrusted(config: ContentConfig, options: ContentOptions): Promise<boolean> {
  if (options.locked !== true) return false;
  if (options.trust_lock === true) return true;
  const workspace = config.files.filter(({ origin }) => origin.kind !== 'user');
  return workspace.length > 0 && (await areTrusted(workspace, config, options));
}

/** Records an approval. Throws on failure, because every later run would ask again. */
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

/** Returns the approval of all capabilities of an artifact. */
export function toApproval({ registry, id, capabilities }: InspectedArtifact): {
  registry: string;
  id: string;
  keys: string[];
} {
  return { registry, id, keys: capabilities.map(({ key }) => key) };
}

/** Throws if a policy denies content, such as that of a configured hook. */
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

/** Artifact that a policy denies, with its denied capabilities. */
export interface DeniedArtifact {
  artifact_id: string;
  /** File or registry with the policy. */
  source: string;
  capabilities: string[];
}

/** Converts an artifact to a report entry with the capabilities that the policy denies. */
export function toDenied(artifact: InspectedArtifact, { source }: PolicyDecision): DeniedArtifact {
  return {
    artifact_id: artifact.id,
    source,
    capabilities: artifact.capabilities
      .filter(({ decision }) => decision.verdict === 'deny')
      .map(({ capability }) => formatCapability(capability)),
  };
}

/** Creates the error that lists artifacts left out because a policy denies their content. */
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

/** Describes content by facts only; `+` marks content that is not approved yet. */
export function describeContent(artifacts: readonly InspectedArtifact[]): string[] {
  return artifacts.flatMap(({ id, version, registry, capabilities }) => [
    `${escapeControls(id)} ${escapeControls(version)} from ${escapeControls(registry)}`,
    ...capabilities.map(
      ({ capability, added }) => `  ${added ? '+' : ' '} ${formatCapability(capability)}`,
    ),
  ]);
}

/** Maximum number of ids in a command; more are covered by a pattern. */
const MAX_IDS = 10;

function adviseSync(artifacts: readonly InspectedArtifact[]): string {
  const ids = [...new Set(artifacts.map(({ id }) => id))];
  const patterns = ids.length > MAX_IDS ? ['**'] : ids;
  const flags = patterns.map((id) => `--approve ${shellWord(id)}`).join(' ');
  return `Check the list, then run \`catalog sync ${flags}\`.`;
}

/** Returns advice to approve first and then repeat the command, for commands other than `catalog sync`. */
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
