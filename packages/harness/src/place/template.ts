export function fillTemplate(template: string, { name, id }: { name: string; id: string }): string {
  return template.replaceAll(/\{(?:name|id)\}/g, (part) => (part === '{id}' ? id : name));
}
