/** The `href` of the row to highlight: the longest one that equals the path or is a parent of it, if any. */
export function currentHref(pathname: string, rows: readonly { href: string }[]): string | undefined {
  return rows
    .map((row) => row.href)
    .filter((href) => pathname === href || pathname.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
