/** The page numbers to show: first, last, the current one and its neighbours; `null` is a gap of two or more pages. */
export function pageWindow(page: number, pages: number): (number | null)[] {
  const wanted = new Set([1, pages, page - 1, page, page + 1]);
  if (page <= 3) wanted.add(2).add(3).add(4);
  if (page >= pages - 2)
    wanted
      .add(pages - 1)
      .add(pages - 2)
      .add(pages - 3);
  const shown = [...wanted].filter((entry) => entry >= 1 && entry <= pages).sort((a, b) => a - b);
  const window: (number | null)[] = [];
  let last = 0;
  for (const entry of shown) {
    if (entry - last === 2) window.push(last + 1);
    else if (entry - last > 2) window.push(null);
    window.push(entry);
    last = entry;
  }
  return window;
}
