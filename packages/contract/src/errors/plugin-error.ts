import { CatalogError, type ErrorEnvelope } from './catalog-error.ts';

/** A code that a plugin brings (ERR-04). */
export interface PluginErrorCode {
  /** `<namespace>.<name>`; the namespace is none of the registry's. */
  code: string;
  suggested_action: string;
}

/**
 * An error with a plugin's code, in the envelope all errors have. A plugin's codes are about what
 * authors publish, so HTTP status, exit and retries are those of `ingest.lint_failed`.
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
