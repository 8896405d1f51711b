/** A reason that lint does not know: it is about the artifact among others, or about what it extends. */
export interface Problem {
  /** A code of the catalogue, or a plugin's. */
  code: string;
  message: string;
  fix: string;
  place: 'extends' | 'file';
}
