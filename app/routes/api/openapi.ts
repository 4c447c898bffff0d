import type { Context } from 'hono';
import type { EndpointDescription, Schema } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { type ResoResource, resoResources } from '#features/reso/reads.ts';
import { brandName } from '#features/settings/reads.ts';
import { countDescription } from './count.ts';
import { searchFeedDescription } from './feeds.ts';
import { mapCardsDescription, mapDescription } from './map.ts';
import { resoDescriptions } from './reso.ts';
import { sitemapDescriptions } from './sitemap.ts';
import { suggestionsDescription } from './suggestions.ts';

const openApiDescription: EndpointDescription = {
  path: '/openapi.json',
  summary: 'This document',
  tag: 'Service',
  answers: { 200: { description: 'OpenAPI 3.1', content: { 'application/json': { type: 'object' } } } },
};

/** GET /openapi.json : the public endpoints, made of the descriptions beside their handlers. */
export async function openApi(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [resources, brand] = await Promise.all([resoResources(ctx), brandName(ctx)]);
  const endpoints = [
    ...resoDescriptions(resources.map(({ name }) => name)),
    suggestionsDescription,
    countDescription,
    mapDescription,
    mapCardsDescription,
    ...sitemapDescriptions,
    searchFeedDescription,
    openApiDescription,
  ];
  const document = {
    openapi: '3.1.0',
    info: {
      title: brand,
      version: '1',
      description: 'Listings by the RESO Web API Core 2.1 (OData 4.01), search, and feeds.',
    },
    servers: [{ url: ctx.config.publicUrl }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [pathOf(endpoint), { get: operationOf(endpoint) }]),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, made by an administrator or a seller',
        },
      },
      schemas: {
        ...Object.fromEntries(resources.map((resource) => [resource.name, schemaOf(resource)])),
        ODataError: ERROR,
      },
    },
  };
  return c.json(document, 200, { 'cache-control': 'public, max-age=300' });
}

const ERROR: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'For programs' },
        message: { type: 'string', description: 'For people' },
        target: { type: 'string', description: 'The option that is wrong' },
      },
    },
  },
};

const pathOf = ({ path }: EndpointDescription) => path.replace(/:(\w+)/g, '{$1}');

const operationOf = ({ path, summary, tag, key, parameters = [], answers }: EndpointDescription) => ({
  operationId: path
    .replace(/\W+/g, ' ')
    .trim()
    .replace(/ (.)/g, (_, letter: string) => letter.toUpperCase()),
  summary,
  tags: [tag],
  ...(key && { security: [{ apiKey: [] }] }),
  ...(parameters.length > 0 && { parameters }),
  responses: Object.fromEntries(
    Object.entries(answers).map(([status, { description, content }]) => [
      status,
      {
        description,
        ...(content && {
          content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
        }),
      },
    ]),
  ),
});

const types: Readonly<Record<string, Schema & { type: string }>> = {
  String: { type: 'string' },
  Int32: { type: 'integer' },
  Int64: { type: 'integer' },
  Decimal: { type: 'number' },
  Double: { type: 'number' },
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date' },
  DateTimeOffset: { type: 'string', format: 'date-time' },
};

function schemaOf({ description, fields, hasMedia }: ResoResource): Schema {
  const properties = fields.map(({ name, type, collection, nullable, description }): [string, Schema] => {
    if (collection) return [name, { type: 'array', items: { type: 'string' }, description }];
    const schema = types[type] ?? { type: 'string' };
    return [name, { ...schema, type: nullable ? [schema.type, 'null'] : schema.type, description }];
  });
  return {
    type: 'object',
    description,
    properties: {
      ...Object.fromEntries(properties),
      ...(hasMedia && {
        Media: {
          type: 'array',
          items: { $ref: '#/components/schemas/Media' },
          description: 'Only with $expand',
        },
      }),
    },
  };
}
