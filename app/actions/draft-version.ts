/** The version of a draft that a form says its page has; 0 when it has none, or says nothing sensible. */
export function draftVersion(text: string): number {
  const version = Number(text);
  return Number.isInteger(version) && version > 0 && version < 2 ** 31 - 1 ? version : 0;
}
