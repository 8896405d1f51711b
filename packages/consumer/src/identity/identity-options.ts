export type SignIn = (registry: string) => Promise<void>;

export interface IdentityOptions {
  /** Called at the first use on a terminal (KEY-01); undefined if no user can respond. */
  signIn?: SignIn | undefined;
}
