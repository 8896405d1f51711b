/** Somebody else's text as part of a message: on one line, and no longer than a glance. */
export function shorten(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ');
  // A character of two units may be cut in half; half of one is no text.
  return (line.length > 60 ? `${line.slice(0, 59)}…` : line).toWellFormed();
}
