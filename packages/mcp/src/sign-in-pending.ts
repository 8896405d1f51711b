import type { PendingSignIn } from '@catalog/consumer/identity/background-sign-in';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';

/** A sign-in that waits for the person who uses the host. */
export interface Confirmation {
  registry: string;
  /** The file of the workspace that alone names the registry; it may have come with a clone (T51). */
  named_by: string | undefined;
  sign_in: PendingSignIn;
  /** A host was asked to show the address; it is not asked again. */
  is_shown: boolean;
  /** Goes on as nobody until the process ends, or somebody signs in elsewhere. */
  decline: () => void;
}

/** A call that has to wait until somebody has confirmed a sign-in; as an answer, it says where. */
export class SignInPending extends CatalogError {
  readonly confirmation: Confirmation;

  constructor(confirmation: Confirmation) {
    const { registry, sign_in } = confirmation;
    const { issuer, audience, address, complete_address } = sign_in;
    const user_code = codeOf(confirmation);
    super(
      'auth.sign_in_pending',
      `Sign in to ${registry} first: open ${addressOf(confirmation)} and confirm the code ${user_code}. ${describeSignIn(confirmation)}`,
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

/** Where to confirm, with the code already in it where the provider has that. */
export function addressOf({ sign_in }: Confirmation): string {
  return sign_in.complete_address ?? sign_in.address;
}

/** The code to compare, as somebody else wrote it. */
export function codeOf({ sign_in }: Confirmation): string {
  return escapeControls(sign_in.user_code);
}

/** Where the user signs in, and what the token will be for. */
export function describeSignIn({ sign_in }: Confirmation): string {
  const { issuer, audience = 'none requested' } = sign_in;
  return escapeControls(`Issuer: ${issuer}; audience: ${audience}.`);
}
