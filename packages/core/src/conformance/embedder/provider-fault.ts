/** What is wrong with a provider of embeddings, or its answers. */
export type ProviderFault =
  | { kind: 'well' }
  /** Takes the request and never says anything. */
  | { kind: 'hanging' }
  /** Answers well, but not soon. */
  | { kind: 'slow'; ms: number }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Vectors in another order than the texts, each with its index. */
  | { kind: 'shuffled' }
  | { kind: 'one_more' }
  | { kind: 'one_less' }
  | { kind: 'wrong_dimension' }
  | { kind: 'zeros' }
  /** `NaN`, as some programs write it. */
  | { kind: 'not_a_number' }
  | { kind: 'infinite' }
  | { kind: 'null_value' }
  /** Twenty megabytes. */
  | { kind: 'huge' }
  | { kind: 'not_json' }
  /** Half of the answer, as if it were all. */
  | { kind: 'truncated' }
  /** Half of the answer, then the connection breaks. */
  | { kind: 'cut' };
