import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { RejectionRecord, VersionReads, VersionWrites } from '@catalog/core/ports/versions';
import type { Connection, Run } from '../connection/connection.ts';
import { inSteps } from '../connection/steps.ts';
import type { Transaction } from '../transaction.ts';
import { toRejection, type RejectionRow as StoredRejection } from '../../shared/rejection-row.ts';
import { readList, writeList, type ListText } from './rows.ts';

type RejectionReads = Pick<VersionReads, 'listRejections' | 'listWaiting'>;
type RejectionWrites = Pick<VersionWrites, 'putRejections' | 'removeRejections'>;

type RejectionRow = Omit<StoredRejection<{ layer: LayerNumber }>, 'awaits'> & { awaits: ListText };

export function rejectionReads(run: Run): RejectionReads {
  return {
    listRejections: (tenant, layers) =>
      run((connection) => {
        const statement = connection.statement<RejectionRow>(
          `SELECT layer, artifact_id, type, code, reason, awaits FROM rejections
           WHERE tenant = ? AND layer = ? ORDER BY artifact_id`,
        );
        return layers
          .flatMap((layer) => statement.all(tenant, layer))
          .map((row) => toRejection({ ...row, awaits: readList(row.awaits) }));
      }),
    async listWaiting(tenant, ids) {
      const waiting = new Map<string, { layer: LayerNumber; artifact_id: string }>();
      await inSteps(run, ids, (connection, some) => {
        const rows = connection
          .statement<{ layer: LayerNumber; artifact_id: string }>(
            `SELECT w.layer, w.artifact_id FROM json_each(?2) named
             CROSS JOIN rejection_awaits w ON w.tenant = ?1 AND w.awaited = named.value`,
          )
          .all(tenant, JSON.stringify(some));
        for (const row of rows) waiting.set(`${row.layer} ${row.artifact_id}`, row);
      });
      return [...waiting.values()];
    },
  };
}

export function rejectionWrites(transaction: Transaction): RejectionWrites {
  const { run } = transaction;
  return {
    async putRejections(tenant, layer, rejections) {
      if (rejections.length === 0) return;
      await inSteps(run, rejections, (connection, some) => {
        for (const rejection of some) {
          remove(connection, tenant, layer, rejection.artifact_id);
          insert(connection, tenant, layer, rejection);
        }
      });
      transaction.touchTenant(tenant);
    },
    async removeRejections(tenant, layer, artifact_ids) {
      if (artifact_ids.length === 0) return;
      await inSteps(run, artifact_ids, (connection, some) => {
        for (const id of some) remove(connection, tenant, layer, id);
      });
      transaction.touchTenant(tenant);
    },
  };
}

function insert(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  { artifact_id, type, code, reason, awaits }: RejectionRecord,
): void {
  connection
    .statement(
      `INSERT INTO rejections (tenant, layer, artifact_id, type, code, reason, awaits)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(tenant, layer, artifact_id, type ?? null, code, reason, writeList(awaits));
  for (const awaited of new Set(awaits)) {
    connection
      .statement(
        `INSERT INTO rejection_awaits (tenant, awaited, layer, artifact_id) VALUES (?, ?, ?, ?)`,
      )
      .run(tenant, awaited, layer, artifact_id);
  }
}

function remove(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  artifact_id: string,
): void {
  const gone = connection
    .statement<{ awaits: ListText }>(
      `DELETE FROM rejections WHERE tenant = ? AND layer = ? AND artifact_id = ? RETURNING awaits`,
    )
    .get(tenant, layer, artifact_id);
  for (const awaited of new Set(readList(gone?.awaits ?? ''))) {
    connection
      .statement(
        `DELETE FROM rejection_awaits
         WHERE tenant = ? AND awaited = ? AND layer = ? AND artifact_id = ?`,
      )
      .run(tenant, awaited, layer, artifact_id);
  }
}
