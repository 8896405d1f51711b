/**
 * A place that an adapter writes to. In paths, containers and keys, `{id}` is the id of the artifact,
 * `{name}` one of the names it can have, and `{any}` stands for any single value.
 */
export type OwnedPlace =
  | { into: 'file'; path: string }
  /** Every file below the directory. */
  | { into: 'folder'; path: string }
  /** A file of a marketplace that is recorded with a plugin or with the marketplace itself. */
  | { into: 'document'; path: string }
  | { into: 'entry'; path: string; container: readonly string[]; key: string }
  | { into: 'block'; path: string };
