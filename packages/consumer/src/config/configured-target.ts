export function memberId(target: string, harness: string): string {
  return `${target}/${harness}`;
}

export function isOfTarget(id: string, target: string): boolean {
  return id === target || id.startsWith(memberId(target, ''));
}
