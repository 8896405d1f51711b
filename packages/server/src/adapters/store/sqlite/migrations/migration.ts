/** One step of the schema. Once released it is never edited: the checksum of `sql` is recorded. */
export interface Migration {
  /** Counts from 1 without a gap. */
  number: number;
  name: string;
  sql: string;
}
