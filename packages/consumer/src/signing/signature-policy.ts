/** Policies for signatures, the least strict first (SPEC-46). */
export const SIGNATURE_POLICIES = ['never', 'medium-and-above', 'always'] as const;
export type SignaturePolicy = (typeof SIGNATURE_POLICIES)[number];

/** Policy if no file and no environment variable sets one. */
export const DEFAULT_SIGNATURE_POLICY: SignaturePolicy = 'medium-and-above';

export function isSignaturePolicy(value: string): value is SignaturePolicy {
  return SIGNATURE_POLICIES.some((policy) => policy === value);
}

/** Returns the stricter policy. */
export function stricter(one: SignaturePolicy, other: SignaturePolicy): SignaturePolicy {
  const rank = (policy: SignaturePolicy): number => SIGNATURE_POLICIES.indexOf(policy);
  return rank(one) >= rank(other) ? one : other;
}
