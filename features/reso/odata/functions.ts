import { type RawBuilder, sql } from 'kysely';
import type { FieldContext } from '../model.ts';
import { ODataError } from '../model.ts';
import type { Value, ValueType } from './value.ts';

type Sql = RawBuilder<unknown>;

interface Definition {
  takes: readonly (readonly ValueType[])[];
  gives: ValueType;
  sql(args: readonly Sql[], context: FieldContext): Sql;
}

const TEXT = ['String'] as const;
const MOMENT = ['DateTimeOffset', 'Date'] as const;

const ofTexts = (gives: ValueType, make: (one: Sql, other: Sql) => Sql): Definition => ({
  takes: [TEXT, TEXT],
  gives,
  sql: ([one = sql`null`, other = sql`null`]) => make(one, other),
});
const ofText = (gives: ValueType, make: (text: Sql) => Sql): Definition => ({
  takes: [TEXT],
  gives,
  sql: ([text = sql`null`]) => make(text),
});
/** A part of a day or moment, in UTC. */
const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'): Definition => ({
  takes: [name === 'year' || name === 'month' || name === 'day' ? MOMENT : ['DateTimeOffset']],
  gives: 'Number',
  sql: ([moment = sql`null`]) =>
    sql`floor(extract(${sql.raw(name)} from ${moment} at time zone 'UTC'))::integer`,
});

const definitions: Readonly<Record<string, Definition>> = {
  contains: ofTexts('Boolean', (text, part) => sql`(strpos(${text}, ${part}) > 0)`),
  startswith: ofTexts('Boolean', (text, start) => sql`starts_with(${text}, ${start})`),
  endswith: ofTexts('Boolean', (text, end) => sql`(right(${text}, char_length(${end})) = ${end})`),
  indexof: ofTexts('Number', (text, part) => sql`(strpos(${text}, ${part}) - 1)`),
  concat: ofTexts('String', (one, other) => sql`(${one} || ${other})`),
  tolower: ofText('String', (text) => sql`lower(${text})`),
  toupper: ofText('String', (text) => sql`upper(${text})`),
  trim: ofText('String', (text) => sql`btrim(${text})`),
  length: ofText('Number', (text) => sql`char_length(${text})`),
  year: part('year'),
  month: part('month'),
  day: part('day'),
  hour: part('hour'),
  minute: part('minute'),
  second: part('second'),
  date: {
    takes: [['DateTimeOffset']],
    gives: 'Date',
    sql: ([moment = sql`null`]) => sql`(${moment} at time zone 'UTC')::date`,
  },
  now: { takes: [], gives: 'DateTimeOffset', sql: (_, { now }) => sql`${now.toISOString()}::timestamptz` },
};

/**
 * The value of a function of `$filter`.
 * @throws ODataError for an unknown function, a wrong number of arguments, or arguments of wrong types
 */
export function callFunction(name: string, args: readonly Value[], context: FieldContext): Value {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  const refuse = (code: string, message: string) => new ODataError(code, message, { target: '$filter' });
  if (!definition) throw refuse('NotSupported', `There is no function ${name.slice(0, 60)}`);
  if (args.length !== definition.takes.length)
    throw refuse('InvalidFilter', `${name} takes ${definition.takes.length} arguments, not ${args.length}`);
  for (const [index, arg] of args.entries()) {
    const allowed: readonly ValueType[] = definition.takes[index] ?? [];
    if (arg.type !== 'Null' && !allowed.includes(arg.type))
      throw refuse('TypeMismatch', `${name} takes ${allowed.join(' or ')}, not ${arg.type}`);
  }
  if (args.some(({ type }) => type === 'Null')) return { type: 'Null', sql: sql`null` };
  // A day has no zone; its parts are those of its midnight in UTC.
  const given = args.map((arg) =>
    arg.type === 'Date' ? sql`(${arg.sql}::timestamp at time zone 'UTC')` : arg.sql,
  );
  return { type: definition.gives, sql: definition.sql(given, context) };
}
