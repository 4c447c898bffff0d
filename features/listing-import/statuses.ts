import { DAY } from '#platform/durations.ts';
import type { Cell } from '#platform/typed-text.ts';

/** What a source's status means for the market. */
export type StatusMeaning = 'for_sale' | 'sold' | 'under_contract' | 'off_market' | 'for_rent';

const meanings: readonly [RegExp, StatusMeaning][] = [
  [/\brent|\bleas/, 'for_rent'],
  [
    /contract|conting|pending|in escrow|offer accepted|option period|active option|sale in progress|^(?:p|u|uc|ctg|pnd|act.? kick.*|backup.*)$/,
    'under_contract',
  ],
  [
    /^(?:recently )?sold|^sld$|^closed|^cl?sd$|past sale|settled|^comp(?:arable)? sold|^s$|off market sold/,
    'sold',
  ],
  [
    /withdrawn|expired|cancel|\bhold\b|off market|off the market|not for sale|delete|incomplete|removed|inactive|terminat|draft|^(?:x|t|w|exp|wth|can|other)$|pre foreclosure|temporarily/,
    'off_market',
  ],
  [
    /^active|for sale|^new|coming soon|price (?:change|reduc|drop|increase|improve)|back on|available|^listed|on market|auction|ready to build|fsbo|^(?:a|act|actv|bom|extended|reactivated|open house|accepting (?:backup )?offers|undisclosed)$/,
    'for_sale',
  ],
];

/** What a status means: 'Active Under Contract' is under contract; null for a word that is not known. */
export function meaningOf(status: string): StatusMeaning | null {
  const text = status
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  return meanings.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** What a kind of sale says: 'PAST SALE' is sold; null when it says nothing of the status, as 'MLS Listing' or 'Warranty Deed'. */
export function meaningOfSale(saleType: string): StatusMeaning | null {
  const text = saleType
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  if (/past sale|^sold|recently sold|^closed/.test(text)) return 'sold';
  return /\brental|for rent|\blease/.test(text) ? 'for_rent' : null;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** The day that spreadsheets count from. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);

/**
 * Parses the day of a sale: '2025-10-31', '10/31/2025', 'October-31-2025', '31-Oct-25', '20251031', milliseconds, or a spreadsheet's number
 * of days. A day above 12 in the first place is the day of the month.
 */
export function parseDay(cell: string): Cell<Date> {
  const text = cell.trim();
  if (text === '') return { blank: true };
  const wrong = { wrong: 'is not a date' };
  const day = (year: number, month: number, date: number): Cell<Date> => {
    const at = new Date(Date.UTC(year, month - 1, date));
    const isDay = at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
    return isDay && year >= 1600 && year <= 2200 ? { value: at } : wrong;
  };
  const full = (year: string) =>
    year.length === 2 ? (Number(year) < 50 ? 2000 : 1900) + Number(year) : Number(year);
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numbers = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})(?:[ T].*)?$/.exec(text);
  if (numbers) {
    const [first, second, year] = [Number(numbers[1]), Number(numbers[2]), full(numbers[3] ?? '')];
    return first > 12 ? day(year, second, first) : day(year, first, second);
  }
  const named =
    /^([a-z]{3,9})\.?[ -](\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{4}|\d{2})(?: .*)?$/i.exec(text) ??
    reordered(/^(\d{1,2})[ -]([a-z]{3,9})\.?,?[ -](\d{4}|\d{2})(?: .*)?$/i.exec(text));
  if (named) {
    const month = MONTHS.indexOf((named[1] ?? '').slice(0, 3).toLowerCase()) + 1;
    return month > 0 ? day(full(named[3] ?? ''), month, Number(named[2])) : wrong;
  }
  if (/^\d{12,13}$/.test(text)) return startOfDay(new Date(Number(text)));
  if (/^[2-6]\d{4}(?:\.\d+)?$/.test(text))
    return { value: new Date(SPREADSHEET_EPOCH + Math.floor(Number(text)) * DAY) };
  return wrong;
}

/** 31-Oct-2025 as Oct-31-2025. */
const reordered = (form: RegExpExecArray | null): string[] | null =>
  form && [form[0], form[2] ?? '', form[1] ?? '', form[3] ?? ''];

const startOfDay = (at: Date): Cell<Date> => ({
  value: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())),
});
