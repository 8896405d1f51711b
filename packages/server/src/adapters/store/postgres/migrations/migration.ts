/** One step of the schema. Once released it is never edited: the checksum of `sql` is recorded. */
export interface Migration {
  /** Counts from 1 without a gap. */
  number: number;
  name: string;
  /**
   * Runs in one transaction while programs of the previous release serve: it adds (expand), and takes
   * away only what no such program uses any more (contract).
   */
  sql: string;
  /** The lowest last step a program must know to work with the schema after this one. */
  oldest_program: number;
}
