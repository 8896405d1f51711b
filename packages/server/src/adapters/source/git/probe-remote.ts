import type { ReachedLayer } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import { fetchProblem } from './fetch-problem.ts';
import type { GitOptions } from './git-options.ts';
import type { GitProgram } from './git-program.ts';
import { readRef } from './ref-name.ts';
import { prepareRemote } from './remote.ts';

/**
 * Returns the commit of a remote ref, or undefined if the ref does not exist. Uses a single low-priority run of git and
 * no local repository, because the server compares the refs of all layers at startup.
 */
export async function probeRemote(
  git: GitProgram,
  options: GitOptions,
  tenant: Tenant,
  layer: ReachedLayer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const meaning = readRef(layer.ref);
  if (meaning === undefined) return undefined;
  const remote = await prepareRemote(tenant, layer, options, signal);
  try {
    // Hosts list only refs, not commits. For a layer that is fixed to a commit, any response shows that the host is
    // available.
    const names = meaning.kind === 'commit' ? ['HEAD'] : meaning.names;
    const wanted = names.flatMap((name) => [name, peeled(name)]);
    const words = ['ls-remote', '--quiet', '--end-of-options', 'origin', ...wanted];
    const outcome = await git.run(
      words,
      { ...remote, repository: options.folder, in_background: true },
      signal,
    );
    if (outcome.status !== 0) throw fetchProblem(layer, outcome, false);
    if (meaning.kind === 'commit') return meaning.commit;
    const found = new Map(outcome.stdout.split('\n').map((line) => toRef(line)));
    return names
      .map((name) => found.get(peeled(name)) ?? found.get(name))
      .find((commit) => commit !== undefined);
  } finally {
    await remote.close();
  }
}

/** Returns the name under which git lists the target commit of an annotated tag. */
function peeled(name: string): string {
  return `${name}^{}`;
}

function toRef(line: string): [name: string, commit: string] {
  const [commit = '', name = ''] = line.split('\t');
  return [name, commit];
}
