export type SignIn = (registry: string) => Promise<void>;

export interface IdentityOptions {
  /** Called on the first use in a terminal (KEY-01); undefined if no user is present. */
  signIn?: SignIn | undefined;
}
