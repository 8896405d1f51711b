/** Removes user names, passwords and queries from URLs, because these can contain secrets. */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(/(\w+:\/\/)[^\s/?#]*@/g, '$1')
    .replaceAll(/(\w+:\/\/[^\s?#'"]*)\?[^\s#'"]*/g, '$1?***');
}
