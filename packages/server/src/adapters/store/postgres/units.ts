import { AsyncLocalStorage } from 'node:async_hooks';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SessionWrites } from '@catalog/core/ports/sessions';
import type { StoreWrites } from '@catalog/core/ports/store';
import { readOnlyError } from '@catalog/core/read-only-error';
import { classify, translateError } from './pool/postgres-error.ts';
import type { Servers } from './pool/servers.ts';
import { storeWrites } from './sub-stores.ts';
import type { Transaction } from '../shared/queries.ts';
import { beginTransaction } from './transaction.ts';

export interface UnitsOptions {
  servers: Servers;
  memo: SessionWrites;
  requireOpen: () => void;
  onAnnounced: () => void;
}

export type Work<Result> = (writes: StoreWrites) => Promise<Result>;

/** Maximum number of attempts after conflicts, or after a connection is lost before the commit. */
const MAX_ATTEMPTS = 5;
const PAUSE_MS = 20;

type Attempt<Result> =
  | { kind: 'committed'; result: Result; announced: boolean }
  | { kind: 'failed'; error: unknown; next: 'again' | 'give_up' | 'nobody_knows' };

export function createUnits(
  options: UnitsOptions,
): <Result>(work: Work<Result>) => Promise<Result> {
  const { servers, memo, requireOpen, onAnnounced } = options;
  const current = new AsyncLocalStorage<{ isOpen(): boolean }>();

  async function attempt<Result>(work: Work<Result>): Promise<Attempt<Result>> {
    let isCommitting = false;
    try {
      return await servers.primary.pool.use(async (connection) => {
        const transaction = await beginTransaction(connection);
        let result: Result;
        try {
          const writes = storeWrites(transaction, transaction.revision);
          result = await current.run(transaction, work, writes);
          await transaction.prepare();
        } catch (error) {
          await transaction.rollback();
          throw error;
        }
        isCommitting = true;
        await transaction.commit();
        return { kind: 'committed', result, announced: transaction.announced() };
      });
    } catch (error) {
      return { kind: 'failed', error, next: nextAfter(error, isCommitting) };
    }
  }

  /** Runs the work without a primary: parts that use only memory succeed, and database operations throw the error. */
  async function withoutPrimary<Result>(work: Work<Result>, error: unknown): Promise<Result> {
    let open = true;
    const refuse = async (): Promise<never> => {
      throw error;
    };
    const refusing: Transaction = {
      run: refuse,
      beside: refuse,
      touchTenant: () => undefined,
      touchLayer: refuse,
      announce: () => undefined,
    };
    const writes = { ...storeWrites(refusing, refuse), sessions: memo };
    try {
      return await current.run({ isOpen: () => open }, work, writes);
    } finally {
      open = false;
    }
  }

  return async (work) => {
    if (current.getStore()?.isOpen() === true) {
      throw new Error('A transaction was started inside another one.');
    }
    for (let attempts = 1; ; attempts += 1) {
      requireOpen();
      if (servers.availability().mode === 'read_only') {
        return withoutPrimary(work, readOnlyError());
      }
      const outcome = await attempt(work);
      if (outcome.kind === 'committed') {
        if (outcome.announced) onAnnounced();
        return outcome.result;
      }
      const { error, next } = outcome;
      if (next === 'nobody_knows') return withoutPrimary(work, unknownCommitOutcome(error));
      if (next === 'give_up') throw translateError(error);
      if (attempts === MAX_ATTEMPTS) {
        if (classify(error) === 'lost') return withoutPrimary(work, translateError(error));
        throw translateError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, attempts * PAUSE_MS));
    }
  };
}

/** Decides whether to retry. A commit without a response is never retried, because it may have succeeded. */
function nextAfter(error: unknown, isCommitting: boolean): 'again' | 'give_up' | 'nobody_knows' {
  const failure = classify(error);
  if (failure === 'conflict') return 'again';
  if (isCommitting && failure !== 'other') return 'nobody_knows';
  return failure === 'lost' ? 'again' : 'give_up';
}

function unknownCommitOutcome(cause: unknown): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    'The database connection was lost during the commit, so the change may or may not have been made. Check before you retry.',
    { cause },
  );
}
