export type Rule =
  | 'arrow'
  | 'undeclared'
  | 'cycle'
  | 'impure'
  | 'environment'
  | 'clock'
  | 'random'
  | 'name'
  | 'barrel'
  | 'computed-import'
  | 'unknown-package';

export interface Finding {
  rule: Rule;
  file: string;
  line: number;
  message: string;
}
