import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import type { RequireSignIn } from './sign-in.ts';

/**
 * A registry that is asked as the person who uses the host. Whether they have to sign in first is found
 * out beside each question, so that nobody waits for it; what nobody was answered is then dropped.
 */
export function askSignedIn<Registry extends RuntimeRegistry>(
  registry: Registry,
  requireSignIn: RequireSignIn,
): Registry {
  async function unlessPending<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
    // Who has to sign in first is told that, whatever became of the question.
    answer.catch(() => undefined);
    await requireSignIn(signal);
    return answer;
  }

  return {
    ...registry,
    loadDomain: (input, signal) => unlessPending(registry.loadDomain(input, signal), signal),
    searchDomains: (input, signal) => unlessPending(registry.searchDomains(input, signal), signal),
    searchArtifacts: (input, signal) =>
      unlessPending(registry.searchArtifacts(input, signal), signal),
    loadArtifact: (input, signal) => unlessPending(registry.loadArtifact(input, signal), signal),
  } satisfies Registry;
}
