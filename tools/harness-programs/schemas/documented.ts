import { z } from 'zod';

/**
 * What is documented about files of products that publish no schema, restated. Cline and Zed by their
 * own pages; Kiro and Antigravity as other tools that write for them describe it.
 */

const texts = z.record(z.string(), z.string());

const localServer = {
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
};

/** Kiro: steering files, `.kiro/settings/mcp.json`. */
export const kiroSteering = z.discriminatedUnion('inclusion', [
  z.strictObject({ inclusion: z.enum(['always', 'manual']) }),
  z.strictObject({
    inclusion: z.literal('fileMatch'),
    fileMatchPattern: z.union([z.string(), z.array(z.string()).min(1)]),
  }),
  z.strictObject({
    inclusion: z.literal('auto'),
    name: z.string().min(1),
    description: z.string().min(1),
  }),
]);

const kiroSwitches = {
  disabled: z.boolean().optional(),
  autoApprove: z.array(z.string()).optional(),
  disabledTools: z.array(z.string()).optional(),
};

export const kiroServer = z.union([
  z.strictObject({ ...localServer, ...kiroSwitches }),
  z.strictObject({ url: z.url(), headers: texts.optional(), ...kiroSwitches }),
]);

/** Zed: zed.dev/docs/ai/mcp. */
export const zedServer = z.union([
  z.strictObject({ ...localServer, enabled: z.boolean().optional() }),
  z.strictObject({ url: z.url(), headers: texts.optional(), enabled: z.boolean().optional() }),
]);

/** Antigravity: rules, workflows, `mcp_config.json`. */
export const antigravityRule = z.discriminatedUnion('trigger', [
  z.strictObject({ trigger: z.enum(['always_on', 'manual']) }),
  z.strictObject({ trigger: z.literal('glob'), globs: z.string().min(1) }),
  z.strictObject({ trigger: z.literal('model_decision'), description: z.string().min(1) }),
]);

export const antigravityWorkflow = z.strictObject({ description: z.string().min(1) });

export const antigravityServer = z.union([
  z.strictObject(localServer),
  z.strictObject({ serverUrl: z.url(), headers: texts.optional() }),
]);

/** Cline: docs.cline.bot, conditional rules. */
export const clineRule = z.strictObject({ paths: z.array(z.string()).min(1).optional() });

/** A file that is read whole. */
export const noFrontmatter = z.strictObject({});
