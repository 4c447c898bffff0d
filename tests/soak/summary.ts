import { isDone, type SliceResult } from './results.ts';
import { addCounts } from './run-slice.ts';

/** The results of all slices of each suite as a Markdown table, a run of another size in a row of its own. */
export function summaryTable(results: readonly SliceResult[]): string {
  const runs = Map.groupBy(results, ({ promise, suite, total }) => `${promise} ${suite} ${total}`);
  return [
    '| Promise | Trials | Findings | Minutes | A minute | Slices done | Seeds | Machine | Code |',
    '|---|---|---|---|---|---|---|---|---|',
    ...[...runs.keys()].sort().map((key) => row(runs.get(key) ?? [])),
  ].join('\n');
}

function row(results: readonly SliceResult[]): string {
  const [first] = results;
  if (!first) return '';
  const trials = sum(results.map(({ next, from }) => next - from));
  const minutes = sum(results.map(({ seconds }) => seconds)) / 60;
  const counts = results.reduce<Record<string, number>>((all, { counts }) => addCounts(all, counts), {});
  const counted = Object.entries(counts).map(([name, count]) => `, ${number(count)} ${name}`);
  const done = results.filter((result) => isDone(result) && result.findings.length === 0);
  const slices = [...Map.groupBy(results, ({ slice }) => slice.of).keys()].map(
    (of) => `${done.filter(({ slice }) => slice.of === of).length} of ${of}`,
  );
  const distinct = (list: readonly (string | number)[]) => [...new Set(list)].join(', ');
  const cells = [
    `${first.promise} ${first.suite}`,
    `${number(trials)} of ${number(first.total)} ${first.of}${counted.join('')}`,
    number(sum(results.map(({ findings }) => findings.length))),
    minutes.toFixed(1),
    minutes > 0 ? (trials / minutes).toFixed(1) : '',
    slices.join(', '),
    distinct(results.map(({ seed }) => seed)),
    distinct(results.flatMap(({ machines }) => machines)),
    distinct(results.flatMap(({ commits }) => commits)),
  ];
  return `| ${cells.join(' | ')} |`;
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
const number = (value: number) => value.toLocaleString('en-US');
