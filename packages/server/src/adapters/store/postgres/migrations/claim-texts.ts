/**
 * Of a function that claims waiting texts of a model: the next for which a condition on `n` holds. The same
 * in every step that has such a function, so its text never changes.
 */
export function claimTexts(condition: string): string {
  return `  RETURN QUERY
    WITH claimed AS (
      UPDATE waiting_texts w SET not_before = until WHERE w.ctid = ANY (ARRAY(
        SELECT n.ctid FROM waiting_texts n
        WHERE n.model = (SELECT m.number FROM embedding_models m WHERE m.name = of_model)
          AND ${condition}
        ORDER BY n.not_before, n.stamp LIMIT most FOR UPDATE SKIP LOCKED))
      RETURNING w.tenant, w.layer, w.kind, w.id, w.stamp, w.attempts, w.removed
    )
    SELECT * FROM claimed c ORDER BY c.stamp;
`;
}

/** Has such a function go by the index, whatever the planner believes of a table that changes this fast. */
export function claimByIndex(signature: string): string {
  return ['seqscan', 'bitmapscan', 'sort']
    .map((way) => `ALTER FUNCTION ${signature} SET enable_${way} = off;`)
    .join('\n');
}
