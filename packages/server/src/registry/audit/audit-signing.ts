import type { SigningKey } from '@catalog/core/audit/signed-note';
import type { Tenant } from '@catalog/core/ports/tenant';
import {
  createCheckpointSigner,
  type SignerOptions,
  type SigningProblem,
} from './sign-checkpoints.ts';

/** Signing of the audit log by this process. */
export interface AuditSigning {
  key: SigningKey | undefined;
  /** Signs what changed, and returns the trees that it refuses to sign for the first time. */
  sign(signal: AbortSignal): Promise<[Tenant, SigningProblem][]>;
  /** Throws if the log of this registry is not signed. */
  check(): void;
}

export interface AuditSigningOptions extends Omit<SignerOptions, 'key'> {
  key: SigningKey | undefined;
  /** Reason why there is no key. */
  problem: string | undefined;
}

export function createAuditSigning({ key, problem, ...ports }: AuditSigningOptions): AuditSigning {
  const signer = key && createCheckpointSigner({ ...ports, key });
  let refused: ReadonlyMap<Tenant, SigningProblem> = new Map();
  let failure: Error | undefined;
  return {
    key,
    async sign(signal) {
      if (signer === undefined) return [];
      try {
        const { problems } = await signer.sign(signal);
        const added = [...problems].filter(([tenant, kind]) => refused.get(tenant) !== kind);
        refused = problems;
        failure = undefined;
        return added;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        throw error;
      }
    },
    check() {
      if (problem !== undefined) throw new Error(problem);
      if (failure !== undefined) throw failure;
      const [first] = refused;
      if (first === undefined) return;
      throw new Error(
        `the audit log of tenant ${first[0]} contradicts its checkpoints: ${first[1]}`,
      );
    },
  };
}
