import { listingTransitions } from '#features/listings/transitions.ts';

/** The life cycle of a listing as a Mermaid state diagram for docs/listings.md. */
export function renderListingDiagram(): string {
  const moves = listingTransitions.filter((row) => row.to !== null);
  const arrows = new Map<string, Set<string>>();
  for (const { event, by, from, to } of moves)
    for (const status of from) {
      const arrow = `${status ?? '[*]'} --> ${to}`;
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(`${event} (${by})`));
    }
  return [
    'stateDiagram-v2',
    ...[...arrows].map(([arrow, events]) => `  ${arrow}: ${[...events].join(', ')}`),
  ].join('\n');
}

/** The same as a table, with the guards and effects of each transition. */
export function renderListingTable(): string {
  const list = (names: readonly (string | null)[]) => names.map((name) => name ?? 'new').join(', ') || '–';
  return [
    '| Event | By | From | To | Guards | Effects |',
    '|---|---|---|---|---|---|',
    ...listingTransitions.map(
      (row) =>
        `| ${row.event} | ${row.by} | ${list(row.from)} | ${row.to ?? 'stays'} | ${list(row.guards)} | ${list(row.effects)} |`,
    ),
  ].join('\n');
}
