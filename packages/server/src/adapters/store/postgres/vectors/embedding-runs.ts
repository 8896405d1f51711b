import type { DocumentKey } from '@catalog/core/ports/search-index';
import {
  RUN_ATTEMPTS,
  type ReembedRun,
  type ReembedSelection,
} from '@catalog/core/ports/embeddings';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import type { Parameter } from '../../shared/parameter.ts';
import type { Queries, Run } from '../../shared/queries.ts';

/** Number of documents marked at once; other changes to the tenant wait meanwhile. */
const DOCUMENTS_AT_ONCE = 5_000;

const GET_MODEL: Sql<SelectedModel> = `SELECT m.number, v.number AS vectors
  FROM embedding_models m LEFT JOIN vector_models v ON v.name = m.name AND NOT m.external
  WHERE m.name = $1`;
const ADD_RUN = `INSERT INTO embedding_runs (tenant, run, model, total, created_at)
  VALUES ($1, $2, $3, 0, $4)`;
const ADD_TO_RUN = 'UPDATE embedding_runs SET total = total + $3 WHERE tenant = $1 AND run = $2';
const GET_RUN: Sql<Omit<ReembedRun, 'failures'>> = `SELECT r.run, r.total, r.created_at,
    (SELECT count(*) FROM waiting_texts w WHERE w.tenant = $1 AND w.run = $2 AND NOT w.removed
      AND w.attempts < ${RUN_ATTEMPTS}) AS remaining
  FROM embedding_runs r WHERE r.tenant = $1 AND r.run = $2`;
const LIST_FAILURES: Sql<ReembedRun['failures'][number]> =
  `SELECT layer, id, coalesce(reason, '') AS reason FROM waiting_texts
  WHERE tenant = $1 AND run = $2 AND NOT removed AND attempts >= ${RUN_ATTEMPTS} ORDER BY layer, id`;
const MARK_PENDING = `INSERT INTO waiting_texts AS w (tenant, model, kind, layer, id, run)
  SELECT $1, $2, 'artifact', a.layer, a.id, $3 FROM unnest($4::int[], $5::text[]) AS a (layer, id)
  ON CONFLICT (tenant, model, kind, layer, id) DO UPDATE SET run = excluded.run, stamp = excluded.stamp,
    attempts = 0, not_before = '-infinity', reason = NULL`;

export async function getRun(
  queries: Queries,
  tenant: Tenant,
  run: string,
): Promise<ReembedRun | undefined> {
  const found = await queries.row(GET_RUN, tenant, run);
  if (found === undefined) return undefined;
  return { ...found, failures: await queries.rows(LIST_FAILURES, tenant, run) };
}

export async function startRun(
  change: Run,
  tenant: Tenant,
  name: string,
  { run, selection, now }: { run: string; selection: ReembedSelection; now: string },
): Promise<ReembedRun> {
  const model = await change(tenant, async (queries) => {
    const found = await queries.row(GET_MODEL, name);
    if (found === undefined) throw new Error(`The model ${name} was not added.`);
    await queries.run(ADD_RUN, tenant, run, found.number, now);
    return found;
  });
  const { sql, values } = selectDocuments(selection, model);
  const waitAfter = ({ layer, id }: DocumentKey): Promise<DocumentKey[]> =>
    change(tenant, async (queries) => {
      const page = [tenant, layer, id, DOCUMENTS_AT_ONCE] as const;
      const some = await queries.rows(sql, ...page, ...values);
      const keys = columns(some, 'layer', 'id');
      await queries.run(MARK_PENDING, tenant, model.number, run, ...keys);
      await queries.run(ADD_TO_RUN, tenant, run, some.length);
      return some;
    });
  let after: DocumentKey | undefined = { layer: 0, id: '' };
  while (after !== undefined) {
    const some = await waitAfter(after);
    after = some.length < DOCUMENTS_AT_ONCE ? undefined : some.at(-1);
  }
  const started = await change(tenant, (queries) => getRun(queries, tenant, run));
  if (started === undefined) throw new Error(`The run ${run} was not stored.`);
  return started;
}

interface SelectedModel {
  number: number;
  /** Number of the table with the vectors; null if an external engine stores them. */
  vectors: number | null;
}

function selectDocuments(
  selection: ReembedSelection,
  model: SelectedModel,
): { sql: Sql<DocumentKey>; values: Parameter[] } {
  const { condition, values } = conditionOf(selection, model);
  const sql = `SELECT d.layer, d.id FROM search_documents d
    WHERE d.tenant = $1 AND (d.layer, d.id) > ($2::int, $3::text) AND ${condition}
    ORDER BY d.layer, d.id LIMIT $4`;
  return { sql, values };
}

function conditionOf(
  selection: ReembedSelection,
  { number, vectors }: SelectedModel,
): { condition: string; values: Parameter[] } {
  if (selection.kind === 'all') return { condition: 'true', values: [] };
  if (selection.kind === 'missing') {
    const waits = `EXISTS (SELECT 1 FROM waiting_texts w WHERE w.tenant = $1 AND w.model = $5
      AND w.kind = 'artifact' AND w.layer = d.layer AND w.id = d.id)`;
    const has = `EXISTS (SELECT 1 FROM vectors_${vectors} v
      WHERE v.tenant = $1 AND v.layer = d.layer AND v.doc = d.doc)`;
    const missing = vectors === null ? waits : `(${waits} OR NOT ${has})`;
    const { since } = selection;
    return since === undefined
      ? { condition: missing, values: [number] }
      : { condition: `${missing} AND ${ingestedSince('$6')}`, values: [number, since] };
  }
  if (selection.kind === 'since') {
    return { condition: ingestedSince('$5'), values: [selection.since] };
  }
  const condition = `(d.layer, d.id) IN (SELECT h.layer, h.id FROM heads h
    WHERE h.tenant = $1 AND h.id = ANY ($5::text[]))`;
  return { condition, values: [selection.ids] };
}

function ingestedSince(parameter: string): string {
  return `EXISTS (SELECT 1 FROM heads h WHERE h.tenant = $1 AND h.layer = d.layer AND h.id = d.id
    AND h.ingested_at >= ${parameter})`;
}
