/** Shortens text of others for a message: one line of at most 60 characters. */
export function shorten(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ');
  // The cut may split a surrogate pair.
  return (line.length > 60 ? `${line.slice(0, 59)}…` : line).toWellFormed();
}
