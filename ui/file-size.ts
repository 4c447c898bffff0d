const inMegabytes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** The size of a file for people: '310 kB', '2.4 MB'. What is not empty has at least 1 kB. */
export function fileSize(bytes: number): string {
  const kilobytes = Math.max(Math.round(bytes / 1_000), bytes > 0 ? 1 : 0);
  return kilobytes < 1_000 ? `${kilobytes} kB` : `${inMegabytes.format(bytes / 1_000_000)} MB`;
}
