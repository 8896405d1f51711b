/** Version of catalog, equal to `version` in every `package.json` of the workspace. */
export const VERSION = '0.4.0';
