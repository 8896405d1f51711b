import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { DatabaseError } from 'pg';
import { serverName } from './server-name.ts';

export type Failure =
  /** A conflict between transactions; the transaction can be retried. */
  | 'conflict'
  /** The server is unavailable, or no longer accepts writes. */
  | 'lost'
  /** A timeout, or a lack of resources; a later attempt may succeed. */
  | 'busy'
  | 'refused'
  | 'other';

const CONFLICTS = new Set(['40001', '40P01']);
/**
 * SQLSTATE codes of connections that ended with an administrator's command, a crash, startup or shutdown, and of writes
 * on a standby.
 */
const LOST = new Set(['57P01', '57P02', '57P03', '57P05', '25006', '25P03', '25P04']);
/** SQLSTATE codes for a lack of connections, disk space or memory, and for timeouts. */
const BUSY = new Set(['53000', '53100', '53200', '53300', '57014', '55P03']);
const NO_SUCH_DATABASE = '3D000';
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Thrown if the primary committed a transaction that the standby has not confirmed. */
export class NotReplicated extends Error {}

export class NoResponse extends Error {}

export function classify(error: unknown): Failure {
  if (error instanceof NotReplicated) return 'busy';
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    if (CONFLICTS.has(code)) return 'conflict';
    if (LOST.has(code) || code.startsWith('08')) return 'lost';
    if (code === NO_SUCH_DATABASE || code.startsWith('28')) return 'refused';
    return BUSY.has(code) ? 'busy' : 'other';
  }
  if (isLostConnection(error)) return 'lost';
  return error instanceof Error && error.message === NO_CONNECTION_LEFT ? 'busy' : 'other';
}

/** Error message of the pool if no connection becomes free before the timeout. */
const NO_CONNECTION_LEFT = 'timeout exceeded when trying to connect';

/**
 * Returns true if an error means that the connection is lost. Some errors of the driver have no code, so their messages
 * are compared too.
 */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NoResponse) return true;
  if ('code' in error && typeof error.code === 'string' && SYSTEM.has(error.code)) return true;
  if (error instanceof AggregateError) return error.errors.every(isLostConnection);
  return /^(Connection terminated|timeout expired$|Query read timeout$|Client (was closed|has encountered))/.test(
    error.message,
  );
}

/** Converts an error of PostgreSQL to one of the registry. Errors that already have a registry code are unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof CatalogError) return error;
  const failure = classify(error);
  if (failure === 'other') return error;
  return failure === 'refused' ? refused(error) : unavailable(SENTENCES[failure], error);
}

const SENTENCES = {
  conflict: 'A concurrent transaction is changing the same data.',
  lost: 'The database is unreachable.',
  busy: 'The database did not respond in time.',
} as const satisfies Partial<Record<Failure, string>>;

function unavailable(message: string, cause: unknown): CatalogError {
  return new CatalogError('registry.unavailable', message, { cause });
}

/**
 * Creates the error of a wrong configuration. It omits the message of the server, which contains the role or the
 * database.
 */
function refused(cause: unknown, key: DsnSetting = 'store.dsn'): CatalogError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const role =
    key === 'store.dsn' ? ' `catalog admin migrate` creates the role if it is missing.' : '';
  return new CatalogError('config.invalid', `PostgreSQL rejected the connection: ${why}.`, {
    details: { key },
    suggested_action: `Check the role, password, and database in ${key}.${role}`,
    cause,
  });
}

type DsnSetting = 'store.dsn' | 'store.migration_dsn';

/** Describes a failed connection with the server and the reason, for the operator only. */
export function explainConnection(error: unknown, dsn: string, key: DsnSetting): unknown {
  if (error instanceof CatalogError || !(error instanceof Error)) return error;
  const failure = classify(error);
  if (failure === 'refused') return refused(error, key);
  if (failure !== 'lost' && failure !== 'busy') return error;
  return new CatalogError(
    'registry.unavailable',
    `Cannot connect to PostgreSQL at ${serverName(dsn)}: ${describeLost(error)}.`,
    {
      suggested_action: `Start PostgreSQL, or fix the host and port in ${key}.`,
      cause: error,
    },
  );
}

export function describeLost(error: Error): string {
  if (error instanceof AggregateError) return describeLost(error.errors[0]);
  if (error instanceof DatabaseError) return error.message;
  if (error instanceof NoResponse || error.message === 'timeout expired') {
    return 'it did not respond in time';
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
