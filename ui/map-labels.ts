/** A town, with its place in degrees. */
export interface Town {
  label: string;
  longitude: number;
  latitude: number;
  population: number;
}

/** Pixels of a name: a letter, the height of a line, and what names keep between them. */
const LETTER = 7;
const LINE = 16;
const GAP = 14;
/** More names would hide the map. */
const MOST = 40;

/**
 * The largest towns whose names are inside of the map and apart from each other.
 * @param towns with the pixel of the map that each is at
 */
export function labelsThatFit<T extends Town & { x: number; y: number }>(
  towns: readonly T[],
  size: { width: number; height: number },
): T[] {
  const placed: T[] = [];
  const width = ({ label }: Town) => label.length * LETTER;
  for (const town of towns.toSorted((a, b) => b.population - a.population)) {
    if (placed.length === MOST) break;
    const half = width(town) / 2;
    if (town.x < half || town.x > size.width - half || town.y < LINE || town.y > size.height - LINE) continue;
    const covers = placed.some(
      (other) =>
        Math.abs(other.x - town.x) < (width(other) + width(town)) / 2 + GAP &&
        Math.abs(other.y - town.y) < LINE + GAP,
    );
    if (!covers) placed.push(town);
  }
  return placed;
}
