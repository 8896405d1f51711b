import type { ArtifactFields } from '@catalog/core/artifact/types';

/** Maximum length in the Agent Skills specification. */
const MAX_LENGTH = 500;

/** Describes host requirements in one line for the Agent Skills specification; undefined without any. */
export function describeCompatibility(fields: ArtifactFields): string | undefined {
  const { runtime_requirements: runtime = {}, sandbox_profile } = fields;
  const needs: string[] = [];
  if (runtime.python !== undefined) needs.push(`Python ${runtime.python}`);
  if (runtime.node !== undefined) needs.push(`Node.js ${runtime.node}`);
  if (runtime.system_packages !== undefined && runtime.system_packages.length > 0) {
    needs.push(`system packages ${runtime.system_packages.join(', ')}`);
  }
  const sandbox = sandbox_profile === undefined ? '' : `Sandbox profile: ${sandbox_profile}.`;
  if (needs.length === 0) return sandbox === '' ? undefined : sandbox;
  const requires = `Requires ${needs.join('; ')}.`;
  if (sandbox === '') return shortened(requires, MAX_LENGTH);
  return `${shortened(requires, MAX_LENGTH - sandbox.length - 1)} ${sandbox}`;
}

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(HALF_A_CHARACTER, '')}…`;
}

const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/;
