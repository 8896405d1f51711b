import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  RUN_ATTEMPTS,
  type ReembedRun,
  type ReembedSelection,
} from '@catalog/core/ports/embeddings';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../../shared/sql.ts';
import type { Connection, Run } from '../connection/connection.ts';
import { NOW, takeStamps } from './embedding-waiting.ts';
import { PLACE } from './rows.ts';

interface RunRow {
  total: number;
  created_at: string;
}

export function getRun(
  connection: Connection,
  tenant: Tenant,
  run: string,
): ReembedRun | undefined {
  const row = connection
    .statement<RunRow>('SELECT total, created_at FROM embedding_runs WHERE tenant = ? AND run = ?')
    .get(tenant, run);
  if (row === undefined) return undefined;
  const waiting = connection
    .statement<{ remaining: number }>(
      `SELECT count(*) AS remaining FROM embedding_waiting
       WHERE tenant = ? AND run = ? AND attempts < ${RUN_ATTEMPTS}`,
    )
    .get(tenant, run);
  const failures = connection
    .statement<ReembedRun['failures'][number]>(
      `SELECT layer, id, coalesce(reason, '') AS reason FROM embedding_waiting
       WHERE tenant = ? AND run = ? AND attempts >= ${RUN_ATTEMPTS} ORDER BY layer, id`,
    )
    .all(tenant, run);
  return { run, ...row, remaining: waiting?.remaining ?? 0, failures };
}

export async function startRun(
  run: Run,
  { tenant, model }: { tenant: Tenant; model: number },
  started: { run: string; selection: ReembedSelection; now: string },
): Promise<void> {
  let total = 0;
  for await (const documents of listSelected(run, tenant, model, started.selection)) {
    total += documents.length;
    await run((connection) => {
      const wait = connection.statement(MARK_PENDING);
      let stamp = takeStamps(connection, documents.length);
      for (const { layer, id } of documents) {
        wait.run(model, tenant, layer, id, stamp++, started.run);
      }
    });
  }
  await run((connection) => {
    connection
      .statement(
        `INSERT INTO embedding_runs (tenant, run, model, total, created_at) VALUES (?, ?, ?, ?, ?)`,
      )
      .run(tenant, started.run, model, total, started.now);
  });
}

const MARK_PENDING = `
  INSERT INTO embedding_waiting (model, tenant, layer, kind, id, stamp, run, since)
  VALUES (?, ?, ?, 'artifact', ?, ?, ?, ${NOW})
  ON CONFLICT DO UPDATE SET stamp = excluded.stamp, run = excluded.run, attempts = 0, removed = 0,
    not_before = '', reason = NULL`;

interface DocumentRow {
  layer: LayerNumber;
  number: number;
  id: string;
}

const DOCUMENTS_AT_ONCE = 500;

async function* listSelected(
  run: Run,
  tenant: Tenant,
  model: number,
  selection: ReembedSelection,
): AsyncGenerator<DocumentRow[]> {
  if (selection.kind === 'ids') {
    yield await run((connection) =>
      connection.statement(LIST_NAMED).all(tenant, JSON.stringify(selection.ids)),
    );
    return;
  }
  const pageParameters = toPageParameters(model, selection);
  for (let last = { layer: 0, number: -1 }; ;) {
    const page = await run((connection) =>
      connection
        .statement(LIST[selection.kind])
        .all(tenant, last.layer, last.number, DOCUMENTS_AT_ONCE, ...pageParameters),
    );
    yield page.filter(({ chosen }) => chosen === 1);
    const end = page.at(-1);
    if (end === undefined) return;
    last = end;
    await nextTurn();
  }
}

function toPageParameters(model: number, selection: ReembedSelection): (number | string | null)[] {
  if (selection.kind === 'missing') return [model, selection.since ?? null];
  return selection.kind === 'since' ? [selection.since] : [];
}

const LIST_NAMED: Sql<DocumentRow> = `
  SELECT DISTINCT d.layer, d.number, d.id
  FROM search_layers l CROSS JOIN json_each(?2) named
    CROSS JOIN search_documents d ON d.tenant = l.tenant AND d.layer = l.layer AND d.id = named.value
  WHERE l.tenant = ?1`;

function ingestedSince(parameter: string): string {
  return `EXISTS (SELECT 1 FROM heads h
    WHERE h.tenant = ?1 AND h.layer = d.layer AND h.id = d.id
      AND julianday(h.ingested_at) >= julianday(${parameter}))`;
}

const LIST: Readonly<
  Record<Exclude<ReembedSelection['kind'], 'ids'>, Sql<DocumentRow & { chosen: number }>>
> = {
  all: listPage('1'),
  since: listPage(ingestedSince('?5')),
  // Without the vectors of external engines.
  missing: listPage(`(?6 IS NULL OR ${ingestedSince('?6')})
    AND (EXISTS (SELECT 1 FROM embedding_waiting w
      WHERE w.model = ?5 AND w.tenant = ?1 AND w.layer = d.layer AND w.kind = 'artifact'
        AND w.id = d.id)
    OR EXISTS (SELECT 1 FROM embedding_models m WHERE m.model = ?5 AND m.external = 0)
      AND NOT EXISTS (SELECT 1
        FROM embedding_models m
        CROSS JOIN vector_models vm ON vm.name = m.name
        CROSS JOIN vector_shelves s
          ON s.tenant = ?1 AND s.layer = d.layer AND s.model = vm.model
        CROSS JOIN vectors v ON v.place = ${PLACE}
        WHERE m.model = ?5))`),
};

function listPage(chosen: string): string {
  return `SELECT d.layer, d.number, d.id, (${chosen}) AS chosen FROM search_documents d
    WHERE d.tenant = ?1 AND (d.layer, d.number) > (?2, ?3)
    ORDER BY d.layer, d.number LIMIT ?4 + 0`;
}
