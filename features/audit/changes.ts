import { cutText } from '#platform/cut-text.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { isUuid } from '#platform/uuid.ts';
import { formatTime } from '#ui/format-time.ts';
import { asWords, fieldInWords } from './labels.ts';
import type { HistoryChange } from './model.ts';

/** Longest value that is shown, in characters. */
const MAX_LENGTH = 300;
/** Fields shown of one row. */
const MAX_CHANGES = 40;
const ERASED = 'Erased';
const NONE = 'None';
const HIDDEN = 'Hidden';

/** Kept for the check of states, or told by another field. */
const TECHNICAL = new Set(['history', 'destination']);
const SECRET = /secret|password|private|apiKey|hash$|token$/i;
/** Says who or where somebody is. */
const PERSONAL = /name$|e-?mail|phone|^address$|paypal|stripeAccount|^ip$|recipient/i;
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const EMAIL = /[^\s@<>:]+@[^\s@<>]+/g;

/** What is known about the record whose row is put into words. */
interface RecordFacts {
  /** a person's record: an account or a seller */
  isPerson: boolean;
  /** the personal data of that person was erased */
  erased: boolean;
  /** names of accounts by their ids */
  names: ReadonlyMap<string, string>;
}

const timeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/**
 * What an audit row says about before and after, in words: one entry a field that differs. Values of fields that hold personal
 * data are left out once the person's data was erased, and secrets always; addresses in records of others are masked.
 */
export function changesInWords(before: unknown, after: unknown, facts: RecordFacts): HistoryChange[] {
  const old = fieldsOf(before);
  const fresh = fieldsOf(after);
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return (
    keys
      // Null and absent are the same.
      .filter(
        (key) =>
          !TECHNICAL.has(key) && JSON.stringify(old[key] ?? null) !== JSON.stringify(fresh[key] ?? null),
      )
      .sort((one, other) => fieldInWords(one).localeCompare(fieldInWords(other)))
      .slice(0, MAX_CHANGES)
      .map((key) => ({
        field: fieldInWords(key),
        before: Object.hasOwn(old, key) ? valueInWords(key, old[key], facts) : null,
        after: Object.hasOwn(fresh, key) ? valueInWords(key, fresh[key], facts) : null,
      }))
  );
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { value };
}

/** The ids of accounts that may be named in a value. */
export function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(idsIn);
}

function valueInWords(key: string, value: unknown, facts: RecordFacts, depth = 0): string {
  if (value === null || value === undefined || value === '') return NONE;
  if (SECRET.test(key)) return HIDDEN;
  if (facts.erased && PERSONAL.test(key)) return ERASED;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return numberInWords(key, value);
  if (typeof value === 'string')
    return key === 'status' && value === 'escrow' ? 'In Escrow' : textInWords(value, facts);
  if (depth >= 3) return '…';
  if (Array.isArray(value)) {
    const items = value.map((item) => valueInWords(key, item, facts, depth + 1));
    return items.length === 0 ? NONE : shorten(items.join(', '));
  }
  const parts = Object.entries(value).map(
    ([name, part]) => `${fieldInWords(name)}: ${valueInWords(name, part, facts, depth + 1)}`,
  );
  return parts.length === 0 ? NONE : shorten(parts.join('; '));
}

function numberInWords(key: string, value: number): string {
  if (/cents$/i.test(key)) return dollarsAndCents(value);
  if (/percent(?:age)?$|commissionRate$/i.test(key)) return `${value}%`;
  return String(value);
}

function textInWords(value: string, { names, erased, isPerson }: RecordFacts): string {
  if (DATE.test(value) && !Number.isNaN(Date.parse(value)))
    return `${timeFormat.format(new Date(value)).replaceAll('\u202f', ' ')} UTC`;
  if (isDay(value)) return formatTime(value, 'date', 'UTC');
  if (isUuid(value)) return names.get(value) ?? `${value.slice(0, 8)}…`;
  if (/^[a-z]+(?:_[a-z]+)*$/.test(value)) return asWords(value);
  // Whose address it is, and whether that person is still known, is only certain in the person's own record.
  const text =
    isPerson && !erased ? value : value.replace(EMAIL, (found) => (erased ? ERASED : maskedAddress(found)));
  return shorten(text);
}

/** Whether a text is a day of the calendar, such as the one from which a commission applies. */
function isDay(text: string): boolean {
  const at = new Date(text);
  return DAY.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const maskedAddress = (address: string): string =>
  `${address.charAt(0)}…${address.slice(address.indexOf('@'))}`;

const shorten = (text: string): string => (text.length > MAX_LENGTH ? `${cutText(text, MAX_LENGTH)}…` : text);
