import type { PendingSignIn } from '@catalog/consumer/identity/background-sign-in';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';

export interface Confirmation {
  registry: string;
  /** The only file that names the registry. It is in the workspace and may come from a clone (T51). */
  named_by: string | undefined;
  sign_in: PendingSignIn;
  /** True if the host has shown the URL; it is not asked again. */
  is_shown: boolean;
  /** Continues without a sign-in until the process ends or another program signs in. */
  decline: () => void;
}

export class SignInPending extends CatalogError {
  readonly confirmation: Confirmation;

  constructor(confirmation: Confirmation) {
    const { registry, sign_in } = confirmation;
    const { issuer, audience, address, complete_address } = sign_in;
    const user_code = codeOf(confirmation);
    super(
      'auth.sign_in_pending',
      `Sign in to ${registry} first: open ${signInUrl(confirmation)} and confirm the code ${user_code}. ${describeSignIn(confirmation)}`,
      {
        details: {
          registry,
          issuer,
          ...(audience === undefined ? {} : { audience }),
          verification_uri: address,
          ...(complete_address === undefined
            ? {}
            : { verification_uri_complete: complete_address }),
          user_code,
        },
        suggested_action:
          'Show the user this URL and this code. Call again after the user has confirmed it.',
      },
    );
    this.confirmation = confirmation;
  }
}

/** Returns the URL of the sign-in, with the code if the provider supports that. */
export function signInUrl({ sign_in }: Confirmation): string {
  return sign_in.complete_address ?? sign_in.address;
}

/** Returns the code. It is escaped, because the provider chose it. */
export function codeOf({ sign_in }: Confirmation): string {
  return escapeControls(sign_in.user_code);
}

export function describeSignIn({ sign_in }: Confirmation): string {
  const { issuer, audience = 'none requested' } = sign_in;
  return escapeControls(`Issuer: ${issuer}; audience: ${audience}.`);
}
