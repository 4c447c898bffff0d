import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '#platform/config.ts';
import type { EdmType, FieldContext } from '../model.ts';
import { ODataError } from '../model.ts';
import type { Order } from './options.ts';

/** Where the next page starts: after the row with these values, the key last. */
export interface Cursor {
  /** as the database writes them; null is null */
  after: (string | null)[];
  /** rows that may still be returned; null: no limit */
  left: number | null;
}

/** What makes a token of one answer useless for another one: who asks for what. */
export type CursorOf = readonly [keyId: string, resource: string, options: string];

const PURPOSE = 'reso-cursor';

/** The token of a next link: signed, so that nobody can compose one. */
export function sealCursor(config: Config, of: CursorOf, cursor: Cursor): string {
  const body = Buffer.from(JSON.stringify([cursor.after, cursor.left])).toString('base64url');
  return `${body}.${signature(config.secret, of, body).toString('base64url')}`;
}

/**
 * Reads the token of a next link.
 * @throws ODataError for one that was made up, or for another question or key
 */
export function openCursor(config: Config, of: CursorOf, token: string): Cursor {
  const [body = '', given = ''] = token.split('.');
  const sent = Buffer.from(given, 'base64url');
  const secrets = [config.secret, ...(config.previousSecret ? [config.previousSecret] : [])];
  const genuine = secrets.some((secret) => {
    const expected = signature(secret, of, body);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  if (!genuine)
    throw new ODataError(
      'InvalidOption',
      'This link does not continue this request; start again without $skiptoken',
      {
        target: '$skiptoken',
      },
    );
  const [after, left] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    (string | null)[],
    number | null,
  ];
  return { after, left };
}

const signature = (secret: string, of: CursorOf, body: string) =>
  createHmac('sha256', secret)
    .update(JSON.stringify([PURPOSE, 1, ...of, body]))
    .digest()
    .subarray(0, 16);

/** A sort as the database carries it out. */
export interface SortTerm {
  sql: RawBuilder<unknown>;
  /** the type that a value of the cursor is read as */
  cast: 'text' | 'bigint' | 'numeric' | 'float8' | 'boolean' | 'date' | 'timestamptz' | 'uuid';
  nullable: boolean;
  descending: boolean;
}

const casts: Readonly<Record<EdmType, SortTerm['cast']>> = {
  String: 'text',
  Int32: 'bigint',
  Int64: 'bigint',
  Decimal: 'numeric',
  Double: 'float8',
  Boolean: 'boolean',
  Date: 'date',
  DateTimeOffset: 'timestamptz',
};

/** A sort by a field; texts sort by their bytes, the same on every server. Null is the lowest value. */
export function sortTerm({ field, descending }: Order, context: FieldContext): SortTerm {
  const { index, nullable } = field;
  if (index?.kind === 'uuid') return { sql: index.sql, cast: 'uuid', nullable, descending };
  if (index?.kind === 'cents') return { sql: index.sql, cast: 'bigint', nullable, descending };
  const expression = field.sql(context);
  const cast = casts[field.type];
  return { sql: cast === 'text' ? sql`${expression} collate "C"` : expression, cast, nullable, descending };
}

/** The `order by` of sorts. Where nothing can be null the index needs no word about nulls. */
export const orderBy = (terms: readonly SortTerm[]): RawBuilder<unknown> =>
  sql.join(
    terms.map(({ sql: expression, descending, nullable }) =>
      descending
        ? sql`${expression} desc${nullable ? sql` nulls last` : sql``}`
        : sql`${expression}${nullable ? sql` nulls first` : sql``}`,
    ),
  );

/** The condition that a row comes after the one of the cursor. */
export function comesAfter(
  terms: readonly SortTerm[],
  after: readonly (string | null)[],
): RawBuilder<boolean> {
  const value = ({ cast }: SortTerm, text: string | null) => sql`${text}::${sql.raw(cast)}`;
  const descending = terms[0]?.descending ?? false;
  if (terms.every((term) => !term.nullable && term.descending === descending)) {
    const columns = sql.join(terms.map((term) => term.sql));
    const values = sql.join(terms.map((term, index) => value(term, after[index] ?? null)));
    return sql<boolean>`((${columns}) ${descending ? sql`<` : sql`>`} (${values}))`;
  }
  const ways = terms.map((term, index) => {
    const same = terms.slice(0, index).map((earlier, at) => {
      const text = after[at] ?? null;
      return text === null ? sql`${earlier.sql} is null` : sql`${earlier.sql} = ${value(earlier, text)}`;
    });
    return sql`(${sql.join([...same, beyond(term, after[index] ?? null, value)], sql` and `)})`;
  });
  return sql<boolean>`(${sql.join(ways, sql` or `)})`;
}

function beyond(
  term: SortTerm,
  text: string | null,
  value: (term: SortTerm, text: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (text === null) return term.descending ? sql`false` : sql`${term.sql} is not null`;
  if (!term.descending) return sql`${term.sql} > ${value(term, text)}`;
  const less = sql`${term.sql} < ${value(term, text)}`;
  return term.nullable ? sql`(${less} or ${term.sql} is null)` : less;
}
