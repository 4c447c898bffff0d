import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';

/** 3,766 real properties; lies beside the repository and is not part of it. */
export const realListingsFile = join(projectRoot, '../shared/data/listings-lebanon-nh.csv');

const sound = {
  source_id: '',
  title: '',
  price: '461900',
  address: '17 FARAWAY LN',
  city: 'West Lebanon',
  state: 'NH',
  zip: '03784',
  property_type: 'Single Family',
  bedrooms: '3',
  bathrooms: '2.5',
  square_feet: '2332',
  year_built: '1963',
  latitude: '43.689546',
  longitude: '-72.301533',
};
export type FileRow = Partial<typeof sound>;

/** Writes an import file; each row is a sound one with what is given, its source_id counts from 1. */
export function writeListingsFile(path: string, rows: readonly FileRow[]): string {
  const lines = rows.map((row, index) =>
    Object.values({ ...sound, source_id: `s:${index + 1}`, ...row })
      .map(quoted)
      .join(','),
  );
  writeFileSync(path, `${[Object.keys(sound).join(','), ...lines].join('\n')}\n`);
  return path;
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
