/** Removes the user names and passwords from the URLs in a text. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^\s/?#]*@/g, '$1');
}
