interface Row {
  href: string;
  /** other paths that belong to it */
  also?: readonly string[];
}

/** The `href` of the row to highlight: the one with the longest path that equals this one or is a parent of it, if any. */
export function currentHref(pathname: string, rows: readonly Row[]): string | undefined {
  return rows
    .flatMap(({ href, also = [] }) => [href, ...also].map((path) => ({ href, path })))
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]?.href;
}
