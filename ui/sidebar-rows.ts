/** The row that a path belongs to: the longest address that is the path or lies above it; none for a stranger. */
export function currentHref(pathname: string, rows: readonly { href: string }[]): string | undefined {
  return rows
    .map((row) => row.href)
    .filter((href) => pathname === href || pathname.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
