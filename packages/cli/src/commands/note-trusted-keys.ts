import type { VerifierOptions } from '@catalog/consumer/signing/signature-verifier';
import type { Session } from '../command/session.ts';
import { styled } from '../output/text.ts';

/** Prints the keys of a registry that are trusted because no other key is known. */
export function noteTrustedKeys(session: Session): NonNullable<VerifierOptions['onKeysTrusted']> {
  return ({ registry, key_ids }) => {
    session.note([styled('yellow', 'note'), `: first use of the signing key of ${registry}`]);
    for (const key_id of key_ids) session.note(`  ${key_id}`);
    session.note(
      '  Compare it with the operator of the registry, or pin it under registry_keys in ~/.catalog/sync.yaml.',
    );
  };
}
