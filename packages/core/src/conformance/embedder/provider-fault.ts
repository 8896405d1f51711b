export type ProviderFault =
  | { kind: 'well' }
  | { kind: 'hanging' }
  | { kind: 'slow'; ms: number }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Vectors in a different order from the texts, each with its index. */
  | { kind: 'shuffled' }
  | { kind: 'one_more' }
  | { kind: 'one_less' }
  | { kind: 'wrong_dimension' }
  | { kind: 'zeros' }
  /** `NaN`, as some programs write it. */
  | { kind: 'not_a_number' }
  | { kind: 'infinite' }
  | { kind: 'null_value' }
  | { kind: 'huge' }
  | { kind: 'not_json' }
  /** The first half of the response, ended as if it were complete. */
  | { kind: 'truncated' }
  /** Half of the response, then the connection breaks. */
  | { kind: 'cut' };
