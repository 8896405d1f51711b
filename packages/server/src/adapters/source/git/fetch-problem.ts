import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { DamagedRepository } from './damaged-repository.ts';
import type { GitOutcome } from './git-program.ts';
import { unreachable } from '../unreachable.ts';

interface Problem {
  /** What git says, in the language it was told to speak. */
  said: RegExp;
  what: string;
  action: string;
  /** Whether the registry's own copy may be at fault. */
  may_be_ours?: true;
}

/** The first that fits. */
const PROBLEMS: readonly Problem[] = [
  {
    said: /fsck|hasDot|missingSpace|zeroPaddedFilemode|badTree|index-pack (?:failed|died)|invalid index-pack|bad pack|unpack|is corrupt/i,
    what: 'its repository holds objects that git considers malformed or dangerous',
    action:
      'Run `git fsck` on the repository and rewrite what it names; the history keeps it otherwise.',
    may_be_ours: true,
  },
  {
    said: /dubious ownership/,
    what: 'its repository belongs to another user of the registry host',
    action: 'Let the user the registry runs as own the repository, or serve it over https or ssh.',
  },
  {
    said: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED|No \S+ host key is known/i,
    what: 'the key of its git host is not one the registry trusts',
    action: 'Let an operator put the key of the host into the file git.known_hosts names.',
  },
  {
    said: /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied|error: 40[13]|HTTP 40[13]/i,
    what: 'its git host does not let the registry in',
    action:
      'Make the repository readable, or let an operator store credentials for the host in git.credentials; only admin-defined layers use them.',
  },
  {
    said: /redirect|error: 30[1278]/i,
    what: 'its git host answers from another address, which is not followed',
    action: 'Register the layer with the address the host redirects to.',
  },
  {
    said: /SSL|TLS|certificate/i,
    what: 'the connection to its git host is not secure',
    action: 'Renew the certificate of the host, or let an operator name its authority in ca_file.',
  },
  {
    said: /not found|error: 404|does not (?:appear to be a git repository|exist)|not a git repository|No such file/i,
    what: 'there is no repository at its address, or none the registry may see',
    action: 'Compare `repo` with the address of the repository.',
  },
  {
    said: /could ?n.t resolve|failed to connect|connection (?:refused|reset|timed out|closed)|timed out|too slow|transfer closed|early EOF|hung up|unexpected disconnect|no route|unreachable|error: 5\d\d/i,
    what: 'its git host did not answer',
    action: 'Try again when the host is there; what is served already stays served.',
  },
];

const LAST: Problem = {
  said: /^/,
  what: 'git could not fetch it',
  action: 'Look for the reason in the log of the registry, then ingest again.',
  may_be_ours: true,
};

/**
 * Says in plain words why a fetch into a repository failed. What git said goes into the cause, for
 * the log. `is_kept` tells that the repository holds something from earlier.
 */
export function fetchProblem(
  layer: Pick<LayerRecord, 'id'>,
  { stderr, too_large, status }: GitOutcome,
  is_kept: boolean,
): CatalogError | DamagedRepository {
  const cause = new Error(`git fetch ended with ${status}: ${stderr.slice(0, 4000)}`);
  if (too_large) {
    return unreachable(
      layer,
      'its repository brings more than a layer may hold',
      'Name the folder of the artifacts as `root`, or let an operator raise ingest.max_layer_bytes.',
      cause,
    );
  }
  const { what, action, may_be_ours } = PROBLEMS.find(({ said }) => said.test(stderr)) ?? LAST;
  const problem = unreachable(layer, what, action, cause);
  return is_kept && may_be_ours === true ? new DamagedRepository(problem) : problem;
}
