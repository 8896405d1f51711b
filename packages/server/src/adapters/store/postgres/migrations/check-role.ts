import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { Client, escapeIdentifier } from 'pg';
import { hasSchema, listApplied, requireSchema } from './migrate.ts';
import type { Migration } from './migration.ts';
import { requireVectorSchema } from './require-vector-schema.ts';
import { translateError } from '../pool/postgres-error.ts';

interface Role {
  name: string;
  above: boolean;
  member: boolean;
  keeper: boolean;
}

const ROLE = `SELECT rolname AS name, rolsuper OR rolbypassrls AS above,
    pg_has_role(oid, 'catalog_program', 'USAGE') AS member,
    pg_has_role(oid, 'catalog_keeper', 'USAGE') AS keeper
  FROM pg_roles WHERE rolname = current_user`;

/** Checks that the schema matches this release and that row-level security applies to the role. */
export async function checkRole(dsn: string, migrations: readonly Migration[]): Promise<void> {
  const client = new Client({ connectionString: dsn, connectionTimeoutMillis: 5_000 });
  // A lost connection rejects the pending statement, which reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await requireVectorSchema(client);
    const role = await readRole(client);
    if (role !== undefined) refuseRole(role);
    requireSchema(await listApplied(client), migrations);
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Rejects a role to which row-level security applies: its copy of the database would silently be empty, and its
 * verification would always succeed.
 */
export async function requireEveryTenant(client: Client): Promise<void> {
  const role = await readRole(client);
  if (role === undefined || role.above || role.keeper) return;
  throw new CatalogError(
    'config.invalid',
    `The role ${role.name} cannot read the rows of every tenant, which this command requires.`,
    {
      details: { key: 'store.migration_dsn' },
      suggested_action: `Set store.migration_dsn to the owner of the schema. If it is the owner, run GRANT catalog_keeper TO ${escapeIdentifier(role.name)} WITH INHERIT TRUE as a superuser; on PostgreSQL 15, leave out WITH INHERIT TRUE.`,
    },
  );
}

/** Returns the privileges of the role; undefined if the database has no schema. */
async function readRole(client: Client): Promise<Role | undefined> {
  if (!(await hasSchema(client))) return undefined;
  const { rows } = await client.query<Role>(ROLE);
  return rows[0];
}

function refuseRole({ name, above, member, keeper }: Role): void {
  if (above || keeper) {
    throw new CatalogError(
      'config.invalid',
      `The role ${name} can read the rows of every tenant, so the registry refuses to run as it.`,
      {
        details: { key: 'store.dsn' },
        suggested_action:
          'Create a separate role for the registry in store.dsn, and keep this one for store.migration_dsn.',
      },
    );
  }
  if (member) return;
  throw new CatalogError('config.invalid', `The role ${name} is not a member of catalog_program.`, {
    details: { key: 'store.dsn' },
    suggested_action: `As a superuser, run GRANT catalog_program TO ${escapeIdentifier(name)}.`,
  });
}
