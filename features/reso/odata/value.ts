import type { RawBuilder } from 'kysely';
import type { EdmType, Field } from '../model.ts';
import type { LiteralValue } from './parser.ts';

/** Types between which values can be compared: all numbers are one. */
export type ValueType = 'String' | 'Number' | 'Boolean' | 'Date' | 'DateTimeOffset' | 'Null';

/** A compiled part of an expression that has a value. */
export interface Value {
  type: ValueType;
  sql: RawBuilder<unknown>;
  literal?: LiteralValue;
  field?: Field;
}

/** The type of a field's values in comparisons. */
export function valueTypeOf(type: EdmType): ValueType {
  if (type === 'String' || type === 'Boolean' || type === 'Date' || type === 'DateTimeOffset') return type;
  return 'Number';
}
