import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from '../connection/connection.ts';
import { NOW, takeStamps } from './embedding-waiting.ts';
import type { Transaction } from '../transaction.ts';

const ROWS_AT_ONCE = 500;

export async function fillWaiting(transaction: Transaction, model: number): Promise<void> {
  await inPages(transaction, (connection, after: DocumentRow | undefined) => {
    const rows = connection
      .statement<DocumentRow>(
        `SELECT tenant, layer, number, id FROM search_documents
         WHERE (tenant, layer, number) > (?, ?, ?) ORDER BY tenant, layer, number LIMIT ${ROWS_AT_ONCE}`,
      )
      .all(after?.tenant ?? 0, after?.layer ?? 0, after?.number ?? 0);
    const wait = connection.statement(WAIT);
    let stamp = takeStamps(connection, rows.length);
    for (const { tenant, layer, id } of rows) {
      wait.run(model, tenant, layer, 'artifact', id, stamp++);
    }
    return rows.at(-1);
  });
  await inPages(transaction, (connection, after: DomainRow | undefined) => {
    const rows = connection
      .statement<DomainRow>(
        `SELECT tenant, path, layer FROM domain_files
         WHERE (tenant, path, layer) > (?, ?, ?) ORDER BY tenant, path, layer LIMIT ${ROWS_AT_ONCE}`,
      )
      .all(after?.tenant ?? 0, after?.path ?? '', after?.layer ?? 0);
    const wait = connection.statement(WAIT);
    let stamp = takeStamps(connection, rows.length);
    for (const { tenant, layer, path } of rows) {
      wait.run(model, tenant, layer, 'domain', path, stamp++);
    }
    return rows.at(-1);
  });
  transaction.announce();
}

interface DocumentRow {
  tenant: Tenant;
  layer: LayerNumber;
  number: number;
  id: string;
}

interface DomainRow {
  tenant: Tenant;
  path: string;
  layer: LayerNumber;
}

const WAIT = `
  INSERT INTO embedding_waiting (model, tenant, layer, kind, id, stamp, since)
  VALUES (?, ?, ?, ?, ?, ?, ${NOW})`;

async function inPages<Row>(
  transaction: Transaction,
  step: (connection: Connection, after: Row | undefined) => Row | undefined,
): Promise<void> {
  let last: Row | undefined;
  do {
    last = await transaction.run((connection) => step(connection, last));
    await nextTurn();
  } while (last !== undefined);
}
