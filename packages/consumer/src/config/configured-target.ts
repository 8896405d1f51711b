/** The id of one of several harnesses that a target of the list names. */
export function memberId(target: string, harness: string): string {
  return `${target}/${harness}`;
}

/** Whether a target of a lock or a run is one of the list, or of its harnesses. */
export function isOfTarget(id: string, target: string): boolean {
  return id === target || id.startsWith(memberId(target, ''));
}
