export function inSession(session_id: string | undefined): { session_id?: string } {
  return session_id === undefined ? {} : { session_id };
}
