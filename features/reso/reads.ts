import { type RawBuilder, sql } from 'kysely';
import type { Grant } from '#features/api-keys/model.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import { limitedRead } from './limited-read.ts';
import { type EdmType, type FieldContext, MAX_EXPANDED_MEDIA, ODataError, type Resource } from './model.ts';
import { compileFilter } from './odata/compile.ts';
import {
  type Cursor,
  type CursorOf,
  comesAfter,
  openCursor,
  orderBy,
  type SortTerm,
  sealCursor,
  sortTerm,
} from './odata/cursor.ts';
import { metadataJson, metadataXml } from './odata/metadata.ts';
import { type QueryOptions, readFormat, readOptions, readRecordOptions } from './odata/options.ts';
import { mediaOf } from './read-media.ts';
import { type ResoRecord, recordColumns, toRecord } from './record.ts';
import { media, resourceNamed, resources } from './resources.ts';
import { mayReadByKey } from './rules.ts';

/** A page of records. */
export interface ResoPage {
  records: ResoRecord[];
  /** rows that meet the filter, on all pages, where it was asked for */
  count: number | null;
  /** the query of the next page; null on the last one */
  next: string | null;
}

/** A request for a resource: its query string, and the header `Prefer`. */
interface ResoRequest {
  /** its name, such as 'Property' */
  resource: string;
  params: URLSearchParams;
  prefer: string | null;
}

/**
 * A page of the records that a key sees, in the order asked for, else by last change. Pages follow each other by the values of the last
 * row, so that they stay right while rows change.
 * @throws Forbidden without the scope of the resource; ODataError for a wrong request or one that takes too long
 */
export async function resoPage(ctx: Ctx, grant: Grant, request: ResoRequest): Promise<ResoPage> {
  authorize(ctx, mayReadByKey);
  const resource = named(request.resource);
  requireScope(grant, resource);
  const options = readOptions(resource, media, request.params, request.prefer);
  if (options.media) requireScope(grant, media);
  const context = contextOf(ctx);
  const terms = sortTerms(resource, options, context);
  const of: CursorOf = [grant.keyId, resource.name, options.repeated.toString()];
  const cursor = options.skipToken === null ? null : openCursor(ctx.config, of, options.skipToken);
  const left = cursor ? cursor.left : options.top;
  const size = Math.min(options.pageSize, left ?? options.pageSize);
  const matching = conditionOf(grant, resource, options, context);
  return limitedRead(ctx, async (query) => {
    const after = cursor ? sql`and ${comesAfter(terms, cursor.after)}` : sql``;
    const skip = cursor ? 0 : options.skip;
    const { rows } = await sql<Record<string, unknown>>`
      select ${recordColumns(resource, options.select, context)}, ${sql.join(terms.map((term, at) => sql`(${term.sql})::text as ${sql.ref(`after_${at}`)}`))}
      from ${resource.from} where ${matching} ${after}
      order by ${orderBy(terms)} limit ${size + 1} offset ${skip}`.execute(query);
    const count = options.count ? await countOf(resource, matching).execute(query) : null;
    const shown = rows.slice(0, size);
    const records = shown.map((row) => toRecord(resource, options.select, row));
    if (options.media) await addMedia(records, shown, { query, resource, options, context });
    const rest = left === null ? null : left - shown.length;
    const last = shown.at(-1);
    const more = rows.length > size && last !== undefined && rest !== 0;
    return {
      records,
      count: count ? Number(count.rows[0]?.count ?? 0) : null,
      next: more ? nextQuery(ctx, of, options, { after: valuesOf(terms, last), left: rest }) : null,
    };
  });
}

/**
 * How many records of those that a key sees meet a filter.
 * @throws as `resoPage`
 */
export async function resoCount(ctx: Ctx, grant: Grant, request: ResoRequest): Promise<number> {
  authorize(ctx, mayReadByKey);
  const resource = named(request.resource);
  requireScope(grant, resource);
  const options = readOptions(resource, media, request.params, null);
  const matching = conditionOf(grant, resource, options, contextOf(ctx));
  const { rows } = await limitedRead(ctx, (query) => countOf(resource, matching).execute(query));
  return Number(rows[0]?.count ?? 0);
}

/**
 * One record.
 * @throws NotFound for one that does not exist or that the key does not see; else as `resoPage`
 */
export async function resoRecord(
  ctx: Ctx,
  grant: Grant,
  {
    resource: name,
    params,
    key,
    keyName = null,
  }: Omit<ResoRequest, 'prefer'> & { key: string; keyName?: string | null },
): Promise<ResoRecord> {
  authorize(ctx, mayReadByKey);
  const resource = named(name);
  if (keyName !== null && keyName !== resource.key)
    throw new NotFound(`The key of ${name} is ${resource.key}`);
  requireScope(grant, resource);
  const options = readRecordOptions(resource, media, params);
  if (options.media) requireScope(grant, media);
  const context = contextOf(ctx);
  const byKey = compileFilter(
    {
      node: 'compare',
      operator: 'eq',
      left: { node: 'path', variable: null, name: resource.key },
      right: { node: 'literal', value: { type: 'String', text: key } },
    },
    { resource, context, media },
  );
  return limitedRead(ctx, async (query) => {
    const { rows } = await sql<Record<string, unknown>>`
      select ${recordColumns(resource, options.select, context)}, ${keySql(resource, context)} as after_0
      from ${resource.from} where ${resource.visible(grant.agentId)} and ${byKey} limit 1`.execute(query);
    const row = rows[0];
    if (!row) throw new NotFound(`There is no such record in ${resource.name}`);
    const record = toRecord(resource, options.select, row);
    if (options.media) await addMedia([record], [row], { query, resource, options, context });
    return record;
  });
}

/** A document that describes the service, as it is sent. */
interface ResoDocument {
  type: 'json' | 'xml';
  body: string;
}

/**
 * The metadata document: as `$format` asks, else as the header `Accept` does, else as XML.
 * @throws ODataError for another format or option
 */
export async function resoMetadata(
  ctx: Ctx,
  { params, accept }: { params: URLSearchParams; accept: string },
): Promise<ResoDocument> {
  authorize(ctx, mayReadByKey);
  const format = readFormat(params);
  if (format !== null && !/^(?:json|xml|application\/json|application\/xml)$/.test(format))
    throw new ODataError('InvalidOption', '$format must be json or xml', { target: '$format' });
  const asJson = /json/.test(format ?? (accept.includes('xml') ? '' : accept));
  return asJson
    ? { type: 'json', body: JSON.stringify(metadataJson(resources)) }
    : { type: 'xml', body: metadataXml(resources) };
}

/** A resource in words: its fields with their types. */
export interface ResoResource {
  name: string;
  description: string;
  fields: { name: string; type: EdmType; collection: boolean; nullable: boolean; description: string }[];
  hasMedia: boolean;
}

/** What resources there are, for the descriptions of the service. */
export async function resoResources(ctx: Ctx): Promise<ResoResource[]> {
  authorize(ctx, mayReadByKey);
  return Object.values(resources).map(({ name, description, fields, collections, media }) => ({
    name,
    description,
    fields: [
      ...fields.map((field) => ({
        name: field.name,
        type: field.type,
        collection: false,
        nullable: field.nullable,
        description: field.description,
      })),
      ...collections.map((field) => ({
        name: field.name,
        type: 'String' as const,
        collection: true,
        nullable: false,
        description: field.description,
      })),
    ],
    hasMedia: media !== undefined,
  }));
}

/**
 * The service document, which names the resources.
 * @throws ODataError for options that it does not have
 */
export async function resoService(ctx: Ctx, { params }: { params: URLSearchParams }): Promise<object> {
  authorize(ctx, mayReadByKey);
  readFormat(params);
  return { value: Object.keys(resources).map((name) => ({ name, kind: 'EntitySet', url: name })) };
}

/** @throws NotFound */
function named(name: string): Resource {
  const resource = resourceNamed(name);
  if (!resource) throw new NotFound(`There is no resource ${name.slice(0, 60)}`);
  return resource;
}

function requireScope(grant: Grant, { scope }: Resource): void {
  if (!grant.scopes.includes(scope)) throw new Forbidden(`This API key does not have the scope ${scope}`);
}

const contextOf = (ctx: Ctx): FieldContext => ({ now: ctx.now(), origin: ctx.config.publicUrl });

const conditionOf = (
  grant: Grant,
  resource: Resource,
  { filter }: Pick<QueryOptions, 'filter'>,
  context: FieldContext,
): RawBuilder<boolean> => {
  const visible = resource.visible(grant.agentId);
  return filter === null
    ? visible
    : sql<boolean>`${visible} and ${compileFilter(filter, { resource, context, media })}`;
};

const countOf = (resource: Resource, matching: RawBuilder<boolean>) =>
  sql<{ count: number }>`select count(*) as count from ${resource.from} where ${matching}`;

const keySql = (resource: Resource, context: FieldContext) =>
  resource.fields.find(({ name }) => name === resource.key)?.sql(context) ?? sql`null`;

/** The order asked for, else by last change; by the key where all else is equal. */
function sortTerms(resource: Resource, { order }: QueryOptions, context: FieldContext): SortTerm[] {
  const field = (name: string) => resource.fields.find((one) => one.name === name);
  const changed = field('ModificationTimestamp');
  const key = field(resource.key);
  const wanted = order.length === 0 && changed ? [{ field: changed, descending: false }] : order;
  const byKey = wanted.some(({ field }) => field === key);
  const descending = wanted.at(-1)?.descending ?? false;
  return [...wanted, ...(key && !byKey ? [{ field: key, descending }] : [])].map((one) =>
    sortTerm(one, context),
  );
}

const valuesOf = (terms: readonly SortTerm[], row: Record<string, unknown>): (string | null)[] =>
  terms.map((_, at) => {
    const value = row[`after_${at}`];
    return value === null || value === undefined ? null : String(value);
  });

function nextQuery(ctx: Ctx, of: CursorOf, options: QueryOptions, cursor: Cursor): string {
  const query = new URLSearchParams(options.repeated);
  query.set('$skiptoken', sealCursor(ctx.config, of, cursor));
  return query.toString();
}

async function addMedia(
  records: ResoRecord[],
  rows: readonly Record<string, unknown>[],
  { query, resource, options, context }: Parameters<typeof mediaOf>[1] & { resource: Resource },
): Promise<void> {
  const keys = rows.map((row) => String(row[resource.key] ?? row.after_0));
  const found = await mediaOf(keys, { query, options, context, most: MAX_EXPANDED_MEDIA });
  for (const [index, record] of records.entries()) record.Media = found.get(keys[index] ?? '') ?? [];
}
