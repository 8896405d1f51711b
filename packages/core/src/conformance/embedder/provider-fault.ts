export type ProviderFault =
  | { kind: 'well' }
  | { kind: 'hanging' }
  | { kind: 'slow'; ms: number }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** A response with vectors in another order than the texts, each with its index. */
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
  /** A response that ends after its first half, as if complete. */
  | { kind: 'truncated' }
  /** A connection that breaks after half of the response. */
  | { kind: 'cut' };
