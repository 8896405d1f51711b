/** A reason that lint cannot find, because it depends on other artifacts. */
export interface Problem {
  code: string;
  message: string;
  fix: string;
  place: 'extends' | 'file';
}
