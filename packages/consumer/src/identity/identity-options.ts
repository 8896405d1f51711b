/** Signs a person in to a registry who has no token for it yet, if it asks who people are. */
export type SignIn = (registry: string) => Promise<void>;

export interface IdentityOptions {
  /** Asked at the first use on a terminal (KEY-01); absent where nobody could answer. */
  signIn?: SignIn | undefined;
}
