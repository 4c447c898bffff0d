export interface Timings {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  mean: number;
}

/** Percentiles of durations in milliseconds. */
export function timings(durations: readonly number[]): Timings {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const sum = sorted.reduce((total, one) => total + one, 0);
  return {
    count: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1) ?? 0,
    mean: sum / Math.max(1, sorted.length),
  };
}

/** A row of a table of timings: name, count, p50, p95, p99 and longest. */
export const timingRow = (name: string, { count, p50, p95, p99, max }: Timings): string[] => [
  name,
  String(count),
  ...[p50, p95, p99, max].map(milliseconds),
];

export const milliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** A Markdown table, ready to be pasted into docs/performance.md. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
