import { errorCodePattern } from '@catalog/contract/errors/envelope';
import type { JsonObject } from '@catalog/core/json';
import { z } from 'zod';

/** An artifact as plugins see it: a copy to look at, with nothing of the registry's inside. */
export interface PluginArtifact {
  id: string;
  layer: string;
  type: string;
  version: string;
  name: string;
  description: string;
  /** The frontmatter of `ARTIFACT.md`, as it was written. */
  frontmatter: JsonObject;
  body: string;
  files: readonly { path: string; size: number; executable: boolean }[];
}

/** A layer as plugins see it. */
export interface PluginLayer {
  id: string;
  source_type: 'git' | 'local';
  repo: string;
  ref: string;
  root: string;
  user_defined: boolean;
  owner: string;
}

/** What a plugin has against something: one of its codes, and why. */
export interface Objection {
  code: string;
  message: string;
  /** What the author does about it; the code's own advice when absent. */
  fix?: string;
}

/** What a type's own check found. */
export interface TypeFinding {
  /** An error refuses the artifact, a warning is reported. */
  severity: 'error' | 'warning';
  message: string;
  fix?: string;
  /** The frontmatter key it is about, and what lies in it. */
  path?: readonly (string | number)[];
}

/** An artifact type that a plugin adds (MODE-07). */
export interface PluginType {
  validate?(artifact: PluginArtifact): readonly TypeFinding[];
}

/** A code that a plugin adds (ERR-04). */
export interface PluginCode {
  /** What it means, in one sentence. */
  summary: string;
  /** What a person does next. */
  suggested_action: string;
}

/** What the module of a plugin exports as its default. Everything is synchronous and pure. */
export interface Plugin {
  /** One word, for messages. */
  name: string;
  artifact_types?: Readonly<Record<string, PluginType>>;
  error_codes?: Readonly<Record<string, PluginCode>>;
  /** Looks at every artifact about to be taken, as it would be served. */
  checkArtifact?(artifact: PluginArtifact): Objection | undefined;
  /** Looks at a layer before it is read; an objection fails its ingest. */
  checkLayer?(layer: PluginLayer): Objection | undefined;
}

const call = z.custom<never>((value) => typeof value === 'function', 'must be a function');

const pluginCode = z.strictObject({
  summary: z.string().min(1),
  suggested_action: z.string().min(1),
});

/** The shape a module has to export. */
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
