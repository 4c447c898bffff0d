import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mulberry32 } from '#illustrator/random.ts';

const HEADER =
  'SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,BATHS,LOCATION,SQUARE FEET,LOT SIZE,' +
  'YEAR BUILT,DAYS ON MARKET,$/SQUARE FEET,HOA/MONTH,STATUS,URL,SOURCE,MLS#,FAVORITE,INTERESTED,LATITUDE,LONGITUDE\n' +
  '"In accordance with local MLS rules, some MLS listings are not included in the download"\n';
const STREETS =
  'Elm Oak Main Cedar River Hill Lake Maple Pine Sunset Park Washington Church Spring Ridge Juniper Larch Mill'.split(
    ' ',
  );
const ENDINGS = ['', 'wood', 'dale', 'view', 'field', 'crest'];
const SUFFIXES = ['St', 'Ave', 'Rd', 'Ln', 'Dr', 'Ct', 'Blvd', 'Way'];
const DIRECTIONS = ['', '', 'N ', 'S ', 'NE '];
const TYPES = [
  'Single Family Residential',
  'Single Family Residential',
  'Single Family Residential',
  'Condo/Co-op',
  'Townhouse',
  'Multi-Family (2-4 Unit)',
  'Vacant Land',
];
const NEIGHBORHOODS = ['Old Town', 'Riverside', 'Highlands', 'Harbor', 'North End', 'Garden District'];
const PLACES: readonly [city: string, state: string, zip: string, latitude: number, longitude: number][] = [
  ['Seattle', 'WA', '98101', 47.61, -122.33],
  ['Austin', 'TX', '78704', 30.25, -97.76],
  ['Boston', 'MA', '02118', 42.34, -71.07],
  ['Denver', 'CO', '80205', 39.76, -104.96],
  ['Portland', 'OR', '97202', 45.48, -122.64],
  ['Nashville', 'TN', '37206', 36.18, -86.73],
];
const ROWS_A_PIECE = 1_000;

/**
 * Writes a file in the shape of a portal's download: every row another home, one in ten of them sold.
 * @param rows below the header and its disclaimer
 */
export async function writeImportFile(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  const random = mulberry32(16);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from));
  file.write(HEADER);
  for (let start = 0; start < rows; start += ROWS_A_PIECE) {
    let piece = '';
    for (let n = start; n < Math.min(rows, start + ROWS_A_PIECE); n++) {
      const [city, state, zip, latitude, longitude] = pick(PLACES);
      const isSold = random() < 0.1;
      const unit = random() < 0.3 ? ` #${whole(1, 900)}` : '';
      const address = `${whole(1, 20_000)} ${pick(DIRECTIONS)}${pick(STREETS)}${pick(ENDINGS)} ${pick(SUFFIXES)}${unit}`;
      piece += [
        isSold ? 'PAST SALE,October-31-2025' : 'MLS Listing,',
        pick(TYPES),
        address,
        city,
        state,
        zip,
        whole(100, 3_000) * 1_000,
        whole(1, 7),
        whole(2, 9) / 2,
        pick(NEIGHBORHOODS),
        whole(500, 5_000),
        whole(1_000, 20_000),
        whole(1900, 2025),
        whole(1, 200),
        300,
        '',
        isSold ? 'Sold' : 'Active',
        `https://portal.test/home/${n}`,
        `${state}MLS`,
        1_000_000 + n,
        'N,Y',
        (latitude + random() * 0.2 - 0.1).toFixed(6),
        `${(longitude + random() * 0.2 - 0.1).toFixed(6)}\n`,
      ].join(',');
    }
    if (!file.write(piece)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
