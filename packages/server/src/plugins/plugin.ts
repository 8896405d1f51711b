import { errorCodePattern } from '@catalog/contract/errors/envelope';
import type { JsonObject } from '@catalog/core/json';
import { z } from 'zod';

export interface PluginArtifact {
  id: string;
  layer: string;
  type: string;
  version: string;
  name: string;
  description: string;
  frontmatter: JsonObject;
  body: string;
  files: readonly { path: string; size: number; executable: boolean }[];
}

export interface PluginLayer {
  id: string;
  source_type: 'git' | 'local';
  repo: string;
  ref: string;
  root: string;
  user_defined: boolean;
  owner: string;
}

/** Objection of a plugin: one of its error codes, with the reason. */
export interface Objection {
  code: string;
  message: string;
  /** Suggested fix; if absent, that of the code applies. */
  fix?: string;
}

export interface TypeFinding {
  /** An error rejects the artifact; a warning is only reported. */
  severity: 'error' | 'warning';
  message: string;
  fix?: string;
  /** Path of the key in the frontmatter. */
  path?: readonly (string | number)[];
}

/** Artifact type that a plugin defines (MODE-07). */
export interface PluginType {
  validate?(artifact: PluginArtifact): readonly TypeFinding[];
}

/** Error code that a plugin defines (ERR-04). */
export interface PluginCode {
  summary: string;
  suggested_action: string;
}

/** A plugin: the default export of its module. All functions are synchronous and pure. */
export interface Plugin {
  /** One word that identifies the plugin in messages. */
  name: string;
  artifact_types?: Readonly<Record<string, PluginType>>;
  error_codes?: Readonly<Record<string, PluginCode>>;
  /** Checks an artifact, with the content as it would be served, before the artifact is accepted. */
  checkArtifact?(artifact: PluginArtifact): Objection | undefined;
  /** Checks a layer before it is read. An objection fails the ingest. */
  checkLayer?(layer: PluginLayer): Objection | undefined;
}

const call = z.custom<never>((value) => typeof value === 'function', 'must be a function');

const pluginCode = z.strictObject({
  summary: z.string().min(1),
  suggested_action: z.string().min(1),
});

export const pluginShape = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be one lowercase word'),
  artifact_types: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be one lowercase word'),
      z.strictObject({ validate: call.optional() }),
    )
    .optional(),
  error_codes: z
    .record(z.string().regex(errorCodePattern, 'must be `<namespace>.<name>`'), pluginCode)
    .optional(),
  checkArtifact: call.optional(),
  checkLayer: call.optional(),
});
