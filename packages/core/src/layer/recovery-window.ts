const DAY_MILLISECONDS = 86_400_000;

/** Whether a layer that was soft-deleted can still be restored; no days means for ever (SPEC-35). */
export function isRecoverable(deleted_at: string, now: Date, days: number): boolean {
  return days === 0 || now.getTime() - Date.parse(deleted_at) < days * DAY_MILLISECONDS;
}
