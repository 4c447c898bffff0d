import type { RawBuilder } from 'kysely';
import type { Scope } from '#features/api-keys/model.ts';
import { AppError } from '#platform/errors.ts';

/** The Edm types that are used. */
export type EdmType =
  | 'String'
  | 'Int32'
  | 'Int64'
  | 'Decimal'
  | 'Double'
  | 'Boolean'
  | 'Date'
  | 'DateTimeOffset';

/** What expressions may depend on besides their row. */
export interface FieldContext {
  /** for days on market */
  now: Date;
  /** `https://…`, for addresses of photos */
  origin: string;
}

/** A field of a resource and how it is read. */
export interface Field {
  name: string;
  type: EdmType;
  nullable: boolean;
  maxLength?: number;
  /** decimal places */
  scale?: number;
  /** one line for the metadata document */
  description: string;
  /** the value in SQL, of `type` */
  sql(context: FieldContext): RawBuilder<unknown>;
  /**
   * The column behind it, which an index knows: of text as it is stored, where empty stands for null; of a key as a UUID; of an amount in
   * cents, of which `sql` is a hundredth.
   */
  index?: { sql: RawBuilder<unknown>; kind: 'text' | 'uuid' | 'cents' };
  /** an enumeration whose values stand for others in a column, so that equality uses its index */
  codes?: { sql: RawBuilder<unknown>; of: Readonly<Record<string, string>> };
  /** only returned, neither compared nor sorted by */
  readOnly?: true;
}

/** A collection of texts, such as a listing's amenities. */
export interface CollectionField {
  name: string;
  description: string;
  /** the texts in SQL, as an array */
  sql: RawBuilder<unknown>;
  /** whether an element meets a condition */
  some(condition: (element: RawBuilder<unknown>) => RawBuilder<boolean>): RawBuilder<boolean>;
}

export type ResourceName = 'Property' | 'Member' | 'Office' | 'Media';

/** A RESO resource: which rows it has for whom, and their fields. */
export interface Resource {
  name: ResourceName;
  scope: Scope;
  /** the field that identifies a record */
  key: string;
  description: string;
  /** the tables, with the aliases that the fields use */
  from: RawBuilder<unknown>;
  /** which rows a key sees; the only place that decides it. null: an administrator's key */
  visible(agentId: string | null): RawBuilder<boolean>;
  fields: readonly Field[];
  collections: readonly CollectionField[];
  /** photos that can be asked for with the record, and how they hang on it */
  media?: { on: RawBuilder<boolean> };
}

export const DEFAULT_PAGE = 100;
export const MAX_PAGE = 200;
/** `$skip` beyond this is refused: it reads what it skips, which following `@odata.nextLink` does not. */
export const MAX_SKIP = 10_000;
/** Milliseconds that the database works on one request. */
export const MAX_QUERY_MS = 5_000;
/** Photos of one listing that `$expand=Media` returns. */
export const MAX_EXPANDED_MEDIA = 60;

/** A request that OData refuses: `code` is for programs, the message for people, `target` names the option that is wrong. */
export class ODataError extends AppError {
  readonly code: string;
  readonly target: string | undefined;
  constructor(
    code: string,
    message: string,
    { status = 400, target }: { status?: number; target?: string } = {},
  ) {
    super(message, status);
    this.code = code;
    this.target = target;
  }
}
