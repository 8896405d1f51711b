import { CatalogError, type ErrorEnvelope } from './catalog-error.ts';

/** Error code defined by a plugin (ERR-04). */
export interface PluginErrorCode {
  code: string;
  suggested_action: string;
}

/**
 * Error of a plugin. It concerns published content, so status, exit code and retryability are those of
 * `ingest.lint_failed`.
 */
export class PluginError extends CatalogError {
  readonly plugin_code: string;

  constructor({ code, suggested_action }: PluginErrorCode, message: string) {
    super('ingest.lint_failed', message, { suggested_action });
    this.name = 'PluginError';
    this.plugin_code = code;
  }

  override toEnvelope(): ErrorEnvelope {
    return { ...super.toEnvelope(), code: this.plugin_code };
  }
}
