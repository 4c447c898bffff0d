import type { Context } from 'hono';
import { type EndpointDescription, query } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds, totalCents } from '#features/fees/rules.ts';
import { cardFacts } from '#features/listings/display.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import type { MapCardJson } from '#features/search/components/map-card-json.ts';
import type { MapMarkerJson } from '#features/search/components/map-marker-json.ts';
import { readArea } from '#features/search/drawn-area.ts';
import { parseRectangle } from '#features/search/model.ts';
import { listingsOnMap, mapMarkers, readSearchText } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { searchQuery, wrongArea } from './search-parameters.ts';

/** GET /api/map : the map markers for the search criteria in the query, clustered for `zoom`. */
export async function mapMarkersEndpoint(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [types, fees] = await Promise.all([propertyTypes(ctx), buyerFees(ctx)]);
  const drawn = c.req.query('area');
  const reading = drawn ? readArea(drawn) : null;
  if (reading && !reading.ok) return c.json({ error: reading.problem }, 400);
  const params = new URL(c.req.url).searchParams;
  const criteria = parseCriteria(params, types, baseBounds(fees), await readSearchText(ctx, params, types));
  const zoom = Number(c.req.query('zoom'));
  const within = c.req.query('within');
  const markers = await mapMarkers(
    ctx,
    criteria,
    Number.isFinite(zoom) ? zoom : 4,
    within === undefined || within === params.get('bbox') ? criteria.bbox : parseRectangle(within),
  );
  const links = markers.map(
    ({ latitude, longitude, count, approximate, listing }): MapMarkerJson => ({
      latitude,
      longitude,
      count,
      approximate,
      listing: listing && {
        id: listing.id,
        address: listing.address,
        totalCents: totalCents(listing.priceCents, fees),
      },
    }),
  );
  return c.json(links, 200, { 'cache-control': 'private, max-age=30' });
}

/** GET /api/map/cards : what the map shows of the listings whose `id` is in the query, at most 60. */
export async function mapCardsEndpoint(c: Context<WebEnv>): Promise<Response> {
  const found = await listingsOnMap(c.var.ctx, c.req.queries('id') ?? []);
  const cards = found.map(
    ({ card, latitude, longitude }): MapCardJson => ({
      id: card.id,
      address: card.address,
      town: card.town,
      type: card.type,
      totalCents: card.totalCents,
      facts: cardFacts(card),
      picture: card.picture,
      latitude,
      longitude,
    }),
  );
  return c.json(cards, 200, { 'cache-control': 'private, max-age=30' });
}

export const mapDescription: EndpointDescription = {
  path: '/api/map',
  summary: 'Markers for a map of the search results, clustered',
  tag: 'Search',
  parameters: [
    ...searchQuery,
    query('zoom', 'Zoom of the map, from 0', { type: 'number' }),
    query(
      'within',
      'The `bbox` of the list beside the map, or `everywhere`, where it is another one: the text then means what it means in that list',
      { type: 'string' },
    ),
  ],
  answers: {
    400: wrongArea,
    200: {
      description: 'Up to 300 markers',
      content: {
        'application/json': {
          type: 'array',
          items: {
            type: 'object',
            required: ['latitude', 'longitude', 'count', 'approximate', 'listing'],
            properties: {
              latitude: { type: 'number' },
              longitude: { type: 'number' },
              count: { type: 'integer', description: 'Listings around the point' },
              approximate: { type: 'boolean', description: 'Whether the count is an estimate' },
              listing: {
                type: ['object', 'null'],
                description: 'The listing, if it is a single one',
                required: ['id', 'address', 'totalCents'],
                properties: {
                  id: { type: 'string', format: 'uuid' },
                  address: { type: 'string' },
                  totalCents: { type: 'integer', description: 'Total price with fees, in cents' },
                },
              },
            },
          },
        },
      },
    },
  },
};

export const mapCardsDescription: EndpointDescription = {
  path: '/api/map/cards',
  summary: 'What a map shows of single listings',
  tag: 'Search',
  parameters: [
    query('id', 'Public listings, at most 60; others are left out', {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
    }),
  ],
  answers: {
    200: {
      description: 'Those that are on the map',
      content: {
        'application/json': {
          type: 'array',
          items: {
            type: 'object',
            required: [
              'id',
              'address',
              'town',
              'type',
              'totalCents',
              'facts',
              'picture',
              'latitude',
              'longitude',
            ],
            properties: {
              id: { type: 'string', format: 'uuid' },
              address: { type: 'string' },
              town: { type: 'string', description: 'City, state and ZIP code' },
              type: { type: 'string', description: 'The name of the property type' },
              totalCents: { type: 'integer', description: 'Total price with fees, in cents' },
              facts: { type: 'array', items: { type: 'string' }, description: 'In words, such as “3 bd”' },
              picture: { type: ['object', 'null'], description: 'The main photo, in several sizes' },
              latitude: { type: 'number' },
              longitude: { type: 'number' },
            },
          },
        },
      },
    },
  },
};
