/** Removes user names and passwords from URLs, and queries, which can hold a token. */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(/(\w+:\/\/)[^\s/?#]*@/g, '$1')
    .replaceAll(/(\w+:\/\/[^\s?#'"]*)\?[^\s#'"]*/g, '$1?***');
}
