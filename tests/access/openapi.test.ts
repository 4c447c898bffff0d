import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchParameters } from '#features/search/parameters.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { hostileRequest } from '#tests/support/reso/hostile-odata.ts';
import { seededRandom } from './fuzz/hostile-input.ts';
import { patterns } from './support/all-addresses.ts';
import { addKey } from './support/api-keys.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  $ref?: string;
}
interface Document {
  openapi: string;
  paths: Record<
    string,
    {
      get: {
        security?: unknown;
        parameters?: { name: string; in: string; example?: string }[];
        responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
      };
    }
  >;
  components: { schemas: Record<string, Schema> };
}

/** Endpoints without a cookie or key that are no interface for programs: pages' own files, and what a person is sent to. */
const UNDESCRIBED =
  /^\/(?:illustrations|media|content|files|assets|favicon|__manifest|healthz|readyz|property|receipt|statements|agent|admin|account|saved-searches|closing-dates|documents)|^\/api\/(?!suggestions$|count$|map$|map\/cards$)/;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** Where a value is not what its schema says. */
function faultsOf(document: Document, schema: Schema, value: unknown, at = '$'): string[] {
  if (schema.$ref) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named ? faultsOf(document, named, value, at) : [`${at}: ${schema.$ref} is not there`];
  }
  const allowed = [schema.type ?? []].flat();
  const type = typeOf(value);
  const fits =
    allowed.length === 0 || allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
  if (!fits) return [`${at}: ${type} instead of ${allowed}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => faultsOf(document, schema.items ?? {}, item, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const missing = (schema.required ?? [])
    .filter((name) => !(name in value))
    .map((name) => `${at}.${name} is missing`);
  const known = Object.entries(schema.properties ?? {});
  const unknown =
    known.length > 0
      ? Object.keys(value).filter((name) => !/^@/.test(name) && !schema.properties?.[name])
      : [];
  return [
    ...missing,
    ...unknown.map((name) => `${at}.${name} is not described`),
    ...known.flatMap(([name, inner]) =>
      name in value
        ? faultsOf(document, inner, (value as Record<string, unknown>)[name], `${at}.${name}`)
        : [],
    ),
  ];
}

describe('the OpenAPI document', () => {
  let app: TestApp;
  let document: Document;
  let secret: string;
  let listing: string;
  beforeAll(async () => {
    app = await startTestApp({}, await mainDatabase());
    document = JSON.parse((await app.call('/openapi.json')).text);
    ({ secret } = await addKey(app.scenario, 'admin'));
    listing = await app.scenario.listing('A’s Active', {
      latitude: 44,
      longitude: -121,
      listed_at: new Date(),
    });
    await app.scenario.listing('A’s Sold');
  });
  afterAll(() => app.close());

  it('is kept by shared caches, but not an answer that takes a cookie away', async () => {
    const headersFor = async (headers: Record<string, string>) =>
      (await app.call('/openapi.json', { headers })).headers;
    const ordinary = await headersFor({});
    expect(ordinary['cache-control']).toMatch(/^public/);
    expect(ordinary['set-cookie']).toBeUndefined();
    const forged = await headersFor({ cookie: 'acre.session_token=forged.x' });
    expect(forged['set-cookie']).toBeDefined();
    expect(forged['cache-control']).toBe('private, no-cache');
  });

  it('is OpenAPI 3.1 and describes every endpoint for programs, and no other', () => {
    expect(document.openapi).toBe('3.1.0');
    const described = new Set(
      Object.keys(document.paths).map((path) =>
        path
          .replace(/^\/reso\/odata\/(?:\$metadata|\w+\('\{key\}'\)|\w+)(?=\/|$)/, '/reso/odata/:resource')
          .replace(/\{(\w+)\}/g, ':$1'),
      ),
    );
    const machine = patterns.filter(
      (path) => !UNDESCRIBED.test(path) && /^\/(?:reso|feeds|sitemap|robots|openapi|api)/.test(path),
    );
    expect([...described].sort()).toEqual([...new Set(machine)].sort());
  });

  it('names every parameter of a search where one is taken, and no other', () => {
    const named = (path: string) => document.paths[path]?.get.parameters?.map(({ name }) => name).toSorted();
    const ofList: readonly string[] = ['sort', 'page', 'after'];
    const search = Object.keys(searchParameters).filter((name) => !ofList.includes(name));
    expect(named('/api/count')).toEqual(search.toSorted());
    expect(named('/api/map')).toEqual([...search, 'within', 'zoom'].toSorted());
    expect(named('/api/map/cards')).toEqual(['id']);
    expect(named('/api/suggestions')).toEqual(['q']);
  });

  it('says of every endpoint what the running server answers', async () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      const filled = (path === '/api/map/cards' ? `${path}?id=${listing}` : path).replace(
        /\{(\w+)\}/g,
        (_, name: string) => get.parameters?.find((one) => one.name === name)?.example ?? '',
      );
      const headers: Record<string, string> = get.security ? { authorization: `Bearer ${secret}` } : {};
      const answer = await app.call(filled, { headers });
      const expected = get.responses[String(answer.status)];
      expect(expected, `${filled}: ${answer.status}`).toBeDefined();
      if (answer.status !== 200 && !expected?.content) continue;
      const type = String(answer.headers['content-type']).split(';')[0] ?? '';
      const schema = expected?.content?.[type]?.schema;
      expect(schema, `${filled}: ${type}`).toBeDefined();
      if (type === 'application/json' && schema)
        expect([filled, faultsOf(document, schema, JSON.parse(answer.text))]).toEqual([filled, []]);
      if (get.security) {
        const refused = await app.call(filled);
        expect([filled, refused.status]).toEqual([filled, 401]);
        expect(
          faultsOf(document, document.components.schemas.ODataError ?? {}, JSON.parse(refused.text)),
        ).toEqual([]);
      }
    }
  });

  it('is followed by hostile requests too: 1,500 of them are answered or refused, none fails', async () => {
    const headers = { authorization: `Bearer ${secret}` };
    const faults: string[] = [];
    for (let n = 0; n < 1_500; n++) {
      // The key may ask 600 times a minute.
      if (n % 500 === 0) await app.db.q().deleteFrom('rate_limits').execute();
      const { resource, params, prefer } = hostileRequest(seededRandom(20_261_124, n));
      const { status, text } = await app.call(`/reso/odata/${resource}?${params}`, {
        headers: { ...headers, ...(prefer && { prefer }) },
      });
      if (status >= 500 || (status !== 200 && !JSON.parse(text).error?.code))
        faults.push(`${n}: ${status} ${text.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
  });
});
