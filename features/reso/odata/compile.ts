import { type RawBuilder, sql } from 'kysely';
import { isUuid } from '#platform/uuid.ts';
import type { Field, FieldContext, Resource } from '../model.ts';
import { ODataError } from '../model.ts';
import { callFunction } from './functions.ts';
import type { ComparisonOperator, Expression, LiteralValue } from './parser.ts';
import { type Value, valueTypeOf } from './value.ts';

/** What a path means: fields and collections of the resource, and of the variable of a lambda. */
interface Scope {
  resource: Resource;
  context: FieldContext;
  variable: { name: string; of: Value | Resource } | null;
  /** the resource behind `Media/any(…)` */
  media: Resource;
}

const TRUE = sql<boolean>`true`;
const FALSE = sql<boolean>`false`;

const refuse = (code: string, message: string): ODataError =>
  new ODataError(code, message, { target: '$filter' });

/**
 * Makes the condition of a `$filter` of its tree: SQL in which every value is a parameter and every name one of ours. Null
 * differs from every value (`ne`), and all other comparisons with it are false, as OData asks, so that `not` of one is true.
 * @throws ODataError for unknown names and functions, and for types that cannot be compared
 */
export const compileFilter = (expression: Expression, scope: Omit<Scope, 'variable'>): RawBuilder<boolean> =>
  conditionOf(expression, { ...scope, variable: null });

function conditionOf(expression: Expression, scope: Scope): RawBuilder<boolean> {
  switch (expression.node) {
    case 'and':
    case 'or': {
      const parts = expression.operands.map((operand) => conditionOf(operand, scope));
      return sql<boolean>`(${sql.join(parts, expression.node === 'and' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql<boolean>`(${conditionOf(expression.operand, scope)} is not true)`;
    case 'compare': {
      const [left, right] = [compileValue(expression.left, scope), compileValue(expression.right, scope)];
      return compare(expression.operator, left, right);
    }
    case 'in': {
      const operand = compileValue(expression.operand, scope);
      const parts = expression.values.map((value) => compare('eq', operand, compileValue(value, scope)));
      return sql<boolean>`(${sql.join(parts, sql` or `)})`;
    }
    case 'lambda':
      return lambda(expression, scope);
    default: {
      const value = compileValue(expression, scope);
      if (value.type === 'Null') return FALSE;
      if (value.type !== 'Boolean') throw refuse('InvalidFilter', 'A condition must be true or false');
      return sql<boolean>`coalesce(${value.sql}, false)`;
    }
  }
}

function compileValue(expression: Expression, scope: Scope): Value {
  switch (expression.node) {
    case 'literal':
      return literalValue(expression.value);
    case 'path':
      return pathValue(expression, scope);
    case 'call':
      return callFunction(
        expression.name,
        expression.args.map((arg) => compileValue(arg, scope)),
        scope.context,
      );
    default:
      // A condition in brackets or as an argument, such as `(City eq 'A') eq true`.
      return { type: 'Boolean', sql: conditionOf(expression, scope) };
  }
}

function literalValue(literal: LiteralValue): Value {
  switch (literal.type) {
    case 'Null':
      return { type: 'Null', sql: sql`null`, literal };
    case 'Boolean':
      return { type: 'Boolean', sql: literal.value ? TRUE : FALSE, literal };
    case 'String':
      return { type: 'String', sql: sql`${literal.text}::text`, literal };
    case 'Number':
      return { type: 'Number', sql: numberParameter(literal.text), literal };
    case 'Date':
      return { type: 'Date', sql: sql`${checkedDate(literal.text)}::date`, literal };
    case 'DateTimeOffset':
      return { type: 'DateTimeOffset', sql: sql`${checkedTime(literal.text)}::timestamptz`, literal };
  }
}

/** A whole number that fits is compared as one, so that an index of whole numbers is used. */
const numberParameter = (text: string) =>
  /^-?\d{1,18}$/.test(text) ? sql`${text}::bigint` : sql`${text}::numeric`;

function checkedDate(text: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || text.startsWith('0000') || at.toISOString().slice(0, 10) !== text)
    throw refuse('InvalidLiteral', `${text} is no date`);
  return text;
}

function checkedTime(text: string): string {
  checkedDate(text.slice(0, 10));
  const [, zone = ''] = /(Z|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
  const [hours = 0, minutes = 0] = zone.toUpperCase() === 'Z' ? [] : zone.slice(1).split(':').map(Number);
  // JavaScript knows no more than milliseconds, the database keeps the rest.
  const parsed = new Date(text.replace(/(\.\d{3})\d+/, '$1').toUpperCase());
  if (Number.isNaN(parsed.getTime()) || hours > 14 || minutes > 59)
    throw refuse('InvalidLiteral', `${text} is no time`);
  return text;
}

function pathValue({ variable, name }: Extract<Expression, { node: 'path' }>, scope: Scope): Value {
  if (variable !== null) {
    const meant = scope.variable;
    if (meant?.name !== variable) throw refuse('InvalidFilter', `${variable} means nothing here`);
    if ('fields' in meant.of) {
      if (name === null) throw refuse('InvalidFilter', `${variable} must name a field: ${variable}/MediaKey`);
      return fieldValue(meant.of, name, scope.context);
    }
    if (name !== null) throw refuse('InvalidFilter', `${variable} is a text and has no fields`);
    return meant.of;
  }
  return fieldValue(scope.resource, name ?? '', scope.context);
}

function fieldValue(resource: Resource, name: string, context: FieldContext): Value {
  const field = resource.fields.find((one) => one.name === name);
  if (!field) {
    const collection = resource.collections.some((one) => one.name === name);
    if (collection) throw refuse('InvalidFilter', `${name} is a collection; use ${name}/any(a: a eq 'Pool')`);
    throw refuse('UnknownField', `${resource.name} has no field ${name.slice(0, 60)}`);
  }
  if (field.readOnly) throw refuse('NotSupported', `${name} cannot be filtered by`);
  return { type: valueTypeOf(field.type), sql: field.sql(context), field };
}

function lambda(expression: Extract<Expression, { node: 'lambda' }>, scope: Scope): RawBuilder<boolean> {
  const { collection, quantifier, condition, variable } = expression;
  const negated = quantifier === 'all';
  const inner = (of: Value | Resource): RawBuilder<boolean> => {
    const made = condition ? conditionOf(condition, { ...scope, variable: { name: variable, of } }) : TRUE;
    return negated ? sql<boolean>`(${made} is not true)` : made;
  };
  const texts = scope.resource.collections.find(({ name }) => name === collection);
  let found: RawBuilder<boolean>;
  if (texts) {
    found = texts.some((element) => inner({ type: 'String', sql: element }));
  } else if (collection === 'Media' && scope.resource.media) {
    found = sql<boolean>`exists (select from property_images i join stored_images s on s.id = i.image_id
      where ${scope.resource.media.on} and ${inner(scope.media)})`;
  } else {
    throw refuse('UnknownField', `${scope.resource.name} has no collection ${collection.slice(0, 60)}`);
  }
  return negated ? sql<boolean>`(not ${found})` : found;
}

const symbols = { eq: '=', ne: 'is distinct from', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;
const mirrored = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const;

function compare(operator: ComparisonOperator, left: Value, right: Value): RawBuilder<boolean> {
  if (left.literal && !right.literal) return compare(mirrored[operator], right, left);
  if (left.type === 'Null' || right.type === 'Null') return compareWithNull(operator, left, right);
  if (left.type !== right.type)
    throw refuse(
      'TypeMismatch',
      `A value of type ${left.type} cannot be compared with one of type ${right.type}`,
    );
  if (left.type === 'Boolean' && operator !== 'eq' && operator !== 'ne')
    throw refuse('TypeMismatch', 'Of two that are true or false neither is greater');
  const byIndex = left.field && right.literal ? indexed(operator, left.field, right.literal) : null;
  if (byIndex) return byIndex;
  const ordersText = left.type === 'String' && operator !== 'eq' && operator !== 'ne';
  const [one, other] = [left, right].map((value) => (ordersText ? sql`${value.sql} collate "C"` : value.sql));
  return sql<boolean>`(${one} ${sql.raw(symbols[operator])} ${other})`;
}

function compareWithNull(operator: ComparisonOperator, left: Value, right: Value): RawBuilder<boolean> {
  if (operator !== 'eq' && operator !== 'ne') return FALSE;
  if (left.type === 'Null' && right.type === 'Null') return operator === 'eq' ? TRUE : FALSE;
  const other = left.type === 'Null' ? right : left;
  return operator === 'eq' ? sql<boolean>`(${other.sql} is null)` : sql<boolean>`(${other.sql} is not null)`;
}

/** The comparison by the column that has an index, where the literal allows it. */
function indexed(
  operator: ComparisonOperator,
  field: Field,
  literal: LiteralValue,
): RawBuilder<boolean> | null {
  if (field.codes && literal.type === 'String' && (operator === 'eq' || operator === 'ne')) {
    const code = Object.hasOwn(field.codes.of, literal.text) ? field.codes.of[literal.text] : undefined;
    if (code === undefined) return operator === 'eq' ? FALSE : TRUE;
    return sql<boolean>`(${field.codes.sql} ${sql.raw(operator === 'eq' ? '=' : '<>')} ${code}::text)`;
  }
  const { index } = field;
  if (!index) return null;
  if (index.kind === 'cents' && literal.type === 'Number') {
    const cents = timesHundred(literal.text);
    return cents === null
      ? null
      : sql<boolean>`(${index.sql} ${sql.raw(symbols[operator])} ${numberParameter(cents)})`;
  }
  if (literal.type !== 'String') return null;
  if (index.kind === 'uuid') {
    if (isUuid(literal.text))
      return sql<boolean>`(${index.sql} ${sql.raw(symbols[operator])} ${literal.text}::uuid)`;
    return operator === 'eq' ? FALSE : null;
  }
  if (operator !== 'eq') return null;
  return literal.text === '' ? FALSE : sql<boolean>`(${index.sql} = ${literal.text}::text)`;
}

/** A hundred times a decimal number, exactly; null for one that is written with an exponent. */
function timesHundred(text: string): string | null {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!parts) return null;
  const [, sign = '', whole = '', fraction = ''] = parts;
  const padded = fraction.padEnd(2, '0');
  const rest = padded.slice(2).replace(/0+$/, '');
  return `${sign}${whole}${padded.slice(0, 2)}${rest ? `.${rest}` : ''}`;
}
