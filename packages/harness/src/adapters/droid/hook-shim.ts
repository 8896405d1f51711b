import { APPLIES_ALWAYS, DESCRIBE_COMMON, type ShimProduct } from '../../shim/shim-product.ts';

/** Droid reads exit codes as the contract does, and sends what Claude Code sends. */
export const droidHooks: ShimProduct = {
  id: 'droid',
  title: 'Factory Droid',
  locate: { variable: 'FACTORY_PROJECT_DIR' },
  script: `const TOOLS = {
  __proto__: null,
  Execute: 'Bash',
  Create: 'Write',
  ApplyPatch: 'Edit',
  FetchUrl: 'WebFetch',
};

${DESCRIBE_COMMON}
${APPLIES_ALWAYS}
function answer({ block, warning }) {
  if (block) return { stderr: block, code: 2 };
  return warning ? { stderr: warning, code: 1 } : {};
}
`,
};
