import type { Context } from 'hono';
import { type EndpointDescription, inPath, query, type Schema } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { admitApiKey } from '#features/api-keys/commands/admit-api-key.ts';
import { countKeyUse } from '#features/api-keys/commands/count-key-use.ts';
import type { Grant } from '#features/api-keys/model.ts';
import { ODataError } from '#features/reso/model.ts';
import { resoCount, resoMetadata, resoPage, resoRecord, resoService } from '#features/reso/reads.ts';

import { AppError, NotFound, TooManyRequests } from '#platform/errors.ts';
import { logFailure } from '#platform/http/error-responses.ts';

/** Where the service is. */
export const RESO_ROOT = '/reso/odata';

const JSON_TYPE = 'application/json;odata.metadata=minimal;charset=utf-8';
const KEY = /^Bearer +(\S{1,200})$/i;
/** `Property`, `Property('…')` or `Property(ListingKey='…')` */
const ADDRESS = /^([A-Za-z]{1,40})(?:\((?:([A-Za-z]{1,40})=)?'([^']{1,200})'\))?$/;
const CODES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
};

type Answer = (c: Context<WebEnv>, grant: Grant) => Promise<{ response: Response; rows: number }>;

/** An endpoint of the service: asks for a key, counts its use, and answers errors as OData does. */
const answering =
  (answer: Answer) =>
  async (c: Context<WebEnv>): Promise<Response> => {
    const { ctx } = c.var;
    try {
      const secret = KEY.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
      const grant = await admitApiKey(ctx, { secret });
      const { response, rows } = await answer(c, grant);
      await countKeyUse(ctx, grant, rows);
      return withVersion(c, response);
    } catch (error) {
      return withVersion(c, errorAnswer(c, error));
    }
  };

/** Clients that know no later version than 4.0 get that one: the answers are the same in both. */
function withVersion(c: Context<WebEnv>, response: Response): Response {
  const old = c.req.header('odata-maxversion') === '4.0';
  response.headers.set('odata-version', old ? '4.0' : '4.01');
  response.headers.set('cache-control', 'private, no-store');
  response.headers.set('vary', 'authorization, prefer, odata-maxversion');
  return response;
}

function errorAnswer(c: Context<WebEnv>, error: unknown): Response {
  const known = error instanceof AppError;
  if (!known) logFailure(c, error instanceof Error ? error : new Error(String(error)));
  const status = known ? error.status : 500;
  const body = {
    error: {
      code: error instanceof ODataError ? error.code : (CODES[status] ?? 'InternalError'),
      message: known ? error.message : 'Something went wrong on our side. Please try again.',
      ...(error instanceof ODataError && error.target && { target: error.target }),
      '@acre.requestId': c.get('requestId'),
    },
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': JSON_TYPE,
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="RESO Web API"' }),
      ...(error instanceof TooManyRequests && { 'retry-after': String(error.retryAfterSeconds) }),
    },
  });
}

const json = (body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': JSON_TYPE, ...headers } });

const rootOf = (c: Context<WebEnv>) => c.var.ctx.config.publicUrl + RESO_ROOT;
const paramsOf = (c: Context<WebEnv>) => new URL(c.req.url).searchParams;

/** GET /reso/odata: the service document. */
export const resoRoot = answering(async (c) => {
  const document = await resoService(c.var.ctx, { params: paramsOf(c) });
  return { response: json({ '@odata.context': `${rootOf(c)}/$metadata`, ...document }), rows: 0 };
});

/** GET /reso/odata/:resource: the metadata document, a collection, or one record of it. */
export const resoResource = answering(async (c, grant) => {
  const address = c.req.param('resource') ?? '';
  if (address === '$metadata') return { response: await metadata(c), rows: 0 };
  const { name, keyName, key } = readAddress(address);
  const { ctx } = c.var;
  const params = paramsOf(c);
  const root = rootOf(c);
  if (key !== null) {
    const record = await resoRecord(ctx, grant, { resource: name, params, key, keyName });
    return { response: json({ '@odata.context': `${root}/$metadata#${name}/$entity`, ...record }), rows: 1 };
  }
  const prefer = c.req.header('prefer') ?? null;
  const { records, count, next } = await resoPage(ctx, grant, { resource: name, params, prefer });
  const body = {
    '@odata.context': `${root}/$metadata#${name}`,
    ...(count !== null && { '@odata.count': count }),
    value: records,
    ...(next !== null && { '@odata.nextLink': `${root}/${name}?${next}` }),
  };
  return { response: json(body), rows: records.length };
});

/** GET /reso/odata/:resource/$count: the number of records, as text. */
export const resoResourceCount = answering(async (c, grant) => {
  const { name, key } = readAddress(c.req.param('resource') ?? '');
  if (key !== null) throw new NotFound('Only a collection has a $count');
  const count = await resoCount(c.var.ctx, grant, { resource: name, params: paramsOf(c), prefer: null });
  return {
    response: new Response(String(count), { headers: { 'content-type': 'text/plain;charset=utf-8' } }),
    rows: 0,
  };
});

async function metadata(c: Context<WebEnv>): Promise<Response> {
  const accept = c.req.header('accept') ?? '';
  const { type, body } = await resoMetadata(c.var.ctx, { params: paramsOf(c), accept });
  return new Response(body, {
    headers: { 'content-type': type === 'json' ? JSON_TYPE : 'application/xml;charset=utf-8' },
  });
}

function readAddress(address: string): { name: string; keyName: string | null; key: string | null } {
  const [, name = address, keyName = null, key = null] = ADDRESS.exec(address) ?? [];
  return { name, keyName, key };
}

const ERROR: Schema = { $ref: '#/components/schemas/ODataError' };
const refusals = Object.fromEntries(
  (
    [
      [400, 'The request is wrong: the code and target say what'],
      [401, 'The API key is missing or not valid'],
      [403, 'The API key may not read this'],
      [404, 'There is no such resource or record'],
      [429, 'Too many requests for this API key; Retry-After says how long to wait'],
    ] as const
  ).map(([status, description]) => [status, { description, content: { 'application/json': ERROR } }]),
);
const filter = query('$filter', "A condition, such as StandardStatus eq 'Active' and ListPrice lt 500000");

/** The endpoints of the service; those of a collection once for each resource. */
export const resoDescriptions = (names: readonly string[]): EndpointDescription[] => [
  {
    path: RESO_ROOT,
    summary: 'The service document: which resources there are',
    tag: 'RESO Web API',
    key: true,
    answers: {
      200: {
        description: 'The names of the resources',
        content: {
          'application/json': {
            type: 'object',
            required: ['@odata.context', 'value'],
            properties: {
              '@odata.context': { type: 'string' },
              value: { type: 'array', items: { type: 'object' } },
            },
          },
        },
      },
      ...refusals,
    },
  },
  {
    path: `${RESO_ROOT}/$metadata`,
    summary: 'The metadata document, as XML or JSON',
    tag: 'RESO Web API',
    key: true,
    parameters: [query('$format', 'json or xml')],
    answers: {
      200: {
        description: 'CSDL 4.01',
        content: { 'application/xml': { type: 'string' }, 'application/json': { type: 'object' } },
      },
      ...refusals,
    },
  },
  ...names.flatMap((name) => collectionDescriptions(name)),
];

const collectionDescriptions = (name: string): EndpointDescription[] => [
  {
    path: `${RESO_ROOT}/${name}`,
    summary: `Records of ${name}, a page at a time`,
    tag: 'RESO Web API',
    key: true,
    parameters: [
      filter,
      query('$select', 'Fields, separated by commas'),
      query('$orderby', 'Up to five fields, each with asc or desc; else by last change'),
      query('$top', 'Records in all', { type: 'integer' }),
      query('$skip', 'Records left out at the beginning, at most 10,000', { type: 'integer' }),
      query('$count', 'true adds the number of records on all pages', { type: 'boolean' }),
      ...(name === 'Property' ? [query('$expand', 'Media adds the photos')] : []),
      {
        name: 'Prefer',
        in: 'header',
        description: 'odata.maxpagesize=200 asks for that many records a page, the most there are',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: {
        description: 'A page; @odata.nextLink leads to the next one',
        content: {
          'application/json': {
            type: 'object',
            required: ['@odata.context', 'value'],
            properties: {
              '@odata.context': { type: 'string' },
              '@odata.count': { type: 'integer' },
              '@odata.nextLink': { type: 'string' },
              value: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
            },
          },
        },
      },
      ...refusals,
    },
  },
  {
    path: `${RESO_ROOT}/${name}(':key')`,
    summary: `One record of ${name}`,
    tag: 'RESO Web API',
    key: true,
    parameters: [
      inPath('key', 'Its key', name === 'Office' ? 'marketplace' : '00000000-0000-4000-8000-000000000000'),
      query('$select', 'Fields, separated by commas'),
    ],
    answers: {
      200: {
        description: 'The record',
        content: { 'application/json': { $ref: `#/components/schemas/${name}` } },
      },
      ...refusals,
    },
  },
  {
    path: `${RESO_ROOT}/${name}/$count`,
    summary: `How many records of ${name} there are`,
    tag: 'RESO Web API',
    key: true,
    parameters: [filter],
    answers: { 200: { description: 'A number', content: { 'text/plain': { type: 'string' } } }, ...refusals },
  },
];
