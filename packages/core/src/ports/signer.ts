/** Key of the registry that can sign. */
export interface SignerKey {
  key_id: string;
  /** SubjectPublicKeyInfo, DER, in base64. */
  public_key: string;
}

/** Signs with the private keys of the registry. */
export interface Signer {
  /** The first one signs versions. The others prove that their former signatures belong here. */
  keys: readonly SignerKey[];
  /** Returns the signature in base64. Throws if the key cannot sign. */
  sign(key_id: string, bytes: Uint8Array): Promise<string>;
}
