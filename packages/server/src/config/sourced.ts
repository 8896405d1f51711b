export interface SettingOrigin {
  kind: 'flag' | 'env' | 'file' | 'built-in';
  /** Source of a value: `--bind`, `CATALOG_BIND`, or the path of the file. */
  name: string;
  line?: number;
}

export const BUILT_IN: SettingOrigin = { kind: 'built-in', name: 'built-in default' };
