/**
 * A text cut to at most `maxLength` units of UTF-16, without a character that the cut would halve: the database takes half a character
 * into no JSON, as that of an audit row, and no URL or provider takes it at all.
 */
export const cutText = (text: string, maxLength: number): string =>
  (text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text).toWellFormed();
