/** Where a value came from. */
export interface SettingOrigin {
  kind: 'flag' | 'env' | 'file' | 'built-in';
  /** `--bind`, `CATALOG_BIND`, the path of the file. */
  name: string;
  /** Of the key in the file. */
  line?: number;
}

export const BUILT_IN: SettingOrigin = { kind: 'built-in', name: 'built-in default' };
