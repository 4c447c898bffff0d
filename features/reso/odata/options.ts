import { DEFAULT_PAGE, type Field, MAX_PAGE, MAX_SKIP, ODataError, type Resource } from '../model.ts';
import { type Expression, parseFilter } from './parser.ts';

/** A sort by one field. */
export interface Order {
  field: Field;
  descending: boolean;
}

/** The query options of a request, checked. */
export interface QueryOptions {
  filter: Expression | null;
  /** null: all fields */
  select: ReadonlySet<string> | null;
  order: Order[];
  /** rows asked for in all; null: no limit */
  top: number | null;
  skip: number;
  count: boolean;
  /** the fields of expanded photos; null: photos are not asked for */
  media: { select: ReadonlySet<string> | null } | null;
  /** rows a page */
  pageSize: number;
  skipToken: string | null;
  /** the options that every page of an answer has in common, for its next link */
  repeated: URLSearchParams;
}

const known = new Set([
  'filter',
  'select',
  'orderby',
  'top',
  'skip',
  'count',
  'expand',
  'skiptoken',
  'format',
]);
const REPEATED = ['filter', 'select', 'orderby', 'expand'];
const MAX_ORDER = 5;
const MAX_TOP = 100_000_000;

/**
 * Reads the query options of a request for a collection. Names may have their `$` or not, as OData 4.01 allows.
 * @param prefer the header `Prefer`, which may ask for smaller or larger pages (at most 200 rows)
 * @throws ODataError naming the option that is wrong
 */
export function readOptions(
  resource: Resource,
  media: Resource,
  params: URLSearchParams,
  prefer: string | null,
): QueryOptions {
  const given = namedOptions(params);
  const text = (name: string) => given.get(name) ?? null;
  const filter = text('filter');
  const repeated = new URLSearchParams();
  for (const name of REPEATED) {
    const value = text(name);
    if (value !== null) repeated.set(`$${name}`, value);
  }
  return {
    filter: filter === null ? null : parseFilter(filter),
    select: readSelect(resource, text('select')),
    order: readOrder(resource, text('orderby')),
    top: wholeNumber('top', text('top'), MAX_TOP),
    skip: wholeNumber('skip', text('skip'), MAX_SKIP) ?? 0,
    count: readCount(text('count')),
    media: readExpand(resource, media, text('expand')),
    pageSize: pageSizeOf(prefer),
    skipToken: text('skiptoken'),
    repeated,
  };
}

/**
 * Reads the query options of a request for one record.
 * @throws ODataError
 */
export function readRecordOptions(
  resource: Resource,
  media: Resource,
  params: URLSearchParams,
): Pick<QueryOptions, 'select' | 'media'> {
  const given = namedOptions(params);
  for (const name of given.keys())
    if (!['select', 'expand', 'format'].includes(name))
      throw new ODataError('InvalidOption', `$${name} does not apply to one record`, { target: `$${name}` });
  return {
    select: readSelect(resource, given.get('select') ?? null),
    media: readExpand(resource, media, given.get('expand') ?? null),
  };
}

/**
 * Checks the options of the documents that have none but `$format`.
 * @throws ODataError for any other one
 */
export function readFormat(params: URLSearchParams): string | null {
  return namedOptions(params).get('format') ?? null;
}

/** Custom options, which have no `$`, are ignored unless they are called like one of ours. */
function namedOptions(params: URLSearchParams): Map<string, string> {
  const given = new Map<string, string>();
  for (const [raw, value] of params) {
    const dollar = raw.startsWith('$');
    const name = raw.replace(/^\$/, '').toLowerCase();
    if (!known.has(name)) {
      if (dollar)
        throw new ODataError('NotSupported', `The option ${raw.slice(0, 40)} is not supported`, {
          target: raw.slice(0, 40),
        });
      continue;
    }
    if (given.has(name))
      throw new ODataError('InvalidOption', `$${name} is given twice`, { target: `$${name}` });
    if (value.includes('\0'))
      throw new ODataError('InvalidOption', `$${name} has a NUL`, { target: `$${name}` });
    given.set(name, value);
  }
  return given;
}

function wholeNumber(name: string, text: string | null, max: number): number | null {
  if (text === null) return null;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= max) return number;
  const hint = name === 'skip' ? '; follow @odata.nextLink to read on' : '';
  throw new ODataError('InvalidOption', `$${name} must be a whole number from 0 to ${max}${hint}`, {
    target: `$${name}`,
  });
}

function readCount(text: string | null): boolean {
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw new ODataError('InvalidOption', '$count must be true or false', { target: '$count' });
}

function readSelect(resource: Resource, text: string | null): ReadonlySet<string> | null {
  if (text === null) return null;
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('*')) return null;
  const all = new Set([...resource.fields, ...resource.collections].map(({ name }) => name));
  for (const name of names)
    if (!all.has(name) && !(name === 'Media' && resource.media))
      throw new ODataError(
        'UnknownField',
        `${resource.name} has no field ${name.slice(0, 60) || '(nothing)'}`,
        {
          target: '$select',
        },
      );
  return new Set([resource.key, ...names]);
}

function readOrder(resource: Resource, text: string | null): Order[] {
  if (text === null) return [];
  const order = text.split(',').map((part): Order => {
    const [name = '', direction = 'asc', ...rest] = part.trim().split(/\s+/);
    if (rest.length > 0 || !['asc', 'desc'].includes(direction))
      throw new ODataError('InvalidOption', `A sort is a field, then asc or desc: ${part.slice(0, 60)}`, {
        target: '$orderby',
      });
    const field = resource.fields.find((one) => one.name === name);
    if (!field)
      throw new ODataError('UnknownField', `${resource.name} has no field ${name.slice(0, 60)}`, {
        target: '$orderby',
      });
    if (field.readOnly)
      throw new ODataError('NotSupported', `${name} cannot be sorted by`, { target: '$orderby' });
    return { field, descending: direction === 'desc' };
  });
  if (order.length > MAX_ORDER)
    throw new ODataError('InvalidOption', `At most ${MAX_ORDER} fields can be sorted by`, {
      target: '$orderby',
    });
  const unique = new Set(order.map(({ field }) => field.name));
  if (unique.size < order.length)
    throw new ODataError('InvalidOption', 'A field is sorted by twice', { target: '$orderby' });
  return order;
}

function readExpand(resource: Resource, media: Resource, text: string | null): QueryOptions['media'] {
  if (text === null) return null;
  const parts = /^\s*Media\s*(?:\(\s*\$?select\s*=([^();]*)\))?\s*$/.exec(text);
  if (!parts || !resource.media)
    throw new ODataError('NotSupported', `$expand can be Media, of Property; not ${text.slice(0, 60)}`, {
      target: '$expand',
    });
  return { select: readSelect(media, parts[1] ?? null) };
}

function pageSizeOf(prefer: string | null): number {
  const asked = /(?:^|[,;\s])(?:odata\.)?maxpagesize=(\d{1,9})/i.exec(prefer ?? '')?.[1];
  return asked === undefined ? DEFAULT_PAGE : Math.min(MAX_PAGE, Math.max(1, Number(asked)));
}
