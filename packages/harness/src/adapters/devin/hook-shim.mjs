export { describe } from '../../shim/scripts/describe-common.mjs';

export { applies } from '../../shim/scripts/applies-always.mjs';

export function answer({ block, warning }) {
  if (block) return { json: { decision: 'block', reason: block }, stderr: block, code: 2 };
  return warning ? { stderr: warning, code: 1 } : {};
}
