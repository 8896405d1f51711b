/**
 * Place that catalog may own. `{id}` is the artifact id, `{name}` one of its possible names, and `{any}` any single
 * value.
 */
export type OwnedPlace =
  | { into: 'file'; path: string }
  | { into: 'folder'; path: string }
  /** File that the lock lists with a plugin or with the marketplace. */
  | { into: 'document'; path: string }
  | { into: 'entry'; path: string; container: readonly string[]; key: string }
  | { into: 'block'; path: string };
