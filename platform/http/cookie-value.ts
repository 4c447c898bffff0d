/** The decoded value of a cookie in a `Cookie` header; null when it is not there. */
export function cookieValue(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at < 0 || part.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(at + 1).trim());
    } catch {
      // Not percent-encoded, so not written by us.
      return part.slice(at + 1).trim();
    }
  }
  return null;
}
