const DAY_MILLISECONDS = 86_400_000;

/** Returns true if a deleted layer can still be restored. 0 days means forever (SPEC-35). */
export function isRecoverable(deleted_at: string, now: Date, days: number): boolean {
  return days === 0 || now.getTime() - Date.parse(deleted_at) < days * DAY_MILLISECONDS;
}
