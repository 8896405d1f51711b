export function applies() {
  return true;
}
