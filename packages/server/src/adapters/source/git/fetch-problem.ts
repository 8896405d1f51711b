import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';
import { DamagedRepository } from './damaged-repository.ts';
import type { GitOutcome } from './git-program.ts';
import { unreachable, type SourceReason } from '../unreachable.ts';

interface Problem {
  /** Pattern that matches the output of git, which always runs with the same locale. */
  said: RegExp;
  what: string;
  action: string;
  reason?: SourceReason;
  /** True if a damaged local copy may have caused the problem. */
  may_be_ours?: true;
}

const UNRESPONSIVE: Problem = {
  said: /could ?n.t resolve|failed to connect|connection (?:refused|reset|timed out|closed)|timed out|too slow|transfer closed|empty reply|early EOF|hung up|unexpected disconnect|no route|unreachable|(?:error:|HTTP code|response) (?:429|5\d\d)/i,
  what: 'its git host did not respond',
  action:
    'Try again when the host is available. Content that was already ingested stays available.',
};

/** Known errors of git; the first match applies. */
const PROBLEMS: readonly Problem[] = [
  {
    said: /fsck|hasDot|missingSpace|zeroPaddedFilemode|badTree|index-pack (?:failed|died)|invalid index-pack|bad pack|unpack|is corrupt/i,
    what: 'its repository contains objects that git considers malformed or dangerous',
    action:
      'Run `git fsck` on the repository and rewrite the objects it lists; otherwise they stay in the history.',
    reason: 'malformed_repository',
    may_be_ours: true,
  },
  {
    said: /dubious ownership/,
    what: 'its repository belongs to another user of the registry host',
    action:
      'Change the owner of the repository to the user the registry runs as, or serve it over https or ssh.',
  },
  {
    said: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED|No \S+ host key is known/i,
    what: 'the registry does not trust the host key of its git host',
    action: 'Ask an operator to add the host key to the file set in git.known_hosts.',
  },
  {
    said: /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied|error: 40[13]|HTTP 40[13]/i,
    what: 'its git host denies access',
    action:
      'Make the repository readable, or ask an operator to store credentials for the host in git.credentials. Only admin-defined layers use them.',
    reason: 'access_denied',
  },
  {
    said: /redirect|error: 30[1278]/i,
    what: 'its git host redirects to another URL, and redirects are not followed',
    action: 'Register the layer with the URL the host redirects to.',
    reason: 'redirected',
  },
  {
    said: /SSL|TLS|certificate/i,
    what: 'the connection to its git host is not secure',
    action:
      'Renew the certificate of the host, or ask an operator to set its certificate authority in ca_file.',
  },
  {
    said: /not found|error: 404|does not (?:appear to be a git repository|exist)|not a git repository|No such file/i,
    what: 'no repository exists at its URL, or the registry has no access to it',
    action: 'Compare `repo` with the URL of the repository.',
    reason: 'not_found',
  },
  UNRESPONSIVE,
];

const LAST: Problem = {
  said: /^/,
  what: 'git could not fetch it',
  action: 'Check the log of the registry for the reason, then ingest again.',
  may_be_ours: true,
};

/**
 * Creates the error of a failed fetch. The output of git is in its cause, for the log. `is_kept` is true if an earlier
 * fetch left usable content.
 */
export function fetchProblem(
  layer: Pick<LayerRecord, 'id'>,
  { stderr, too_large, status }: GitOutcome,
  is_kept: boolean,
): CatalogError | DamagedRepository {
  const cause = new Error(`git ended with ${status}: ${stderr.slice(0, 4000)}`);
  if (too_large) {
    return unreachable(
      layer,
      'its repository exceeds the size limit for a layer',
      'Set `root` to the directory of the artifacts, or ask an operator to raise ingest.max_layer_bytes.',
      cause,
      'too_large',
    );
  }
  const found = PROBLEMS.find(({ said }) => said.test(stderr)) ?? LAST;
  if (found === UNRESPONSIVE) return unresponsive(layer, cause);
  const { what, action, reason, may_be_ours } = found;
  const problem = unreachable(layer, what, action, cause, reason);
  return is_kept && may_be_ours === true ? new DamagedRepository(problem) : problem;
}

export function unresponsive(layer: Pick<LayerRecord, 'id'>, cause: Error): UnresponsiveHost {
  return new UnresponsiveHost(layer.id, UNRESPONSIVE.what, UNRESPONSIVE.action, cause);
}
