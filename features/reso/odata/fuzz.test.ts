import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { seededRandom } from '#tests/access/fuzz/hostile-input.ts';
import { fittingFilter, hostileFilter } from '#tests/support/reso/hostile-odata.ts';
import { ODataError } from '../model.ts';
import { media, resources } from '../resources.ts';
import { compileFilter } from './compile.ts';
import { parseFilter } from './parser.ts';

const COUNT = 20_000;
const SEED = 20_261_123;

const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

it(`${COUNT} filters of seed ${SEED} become a condition or are refused, and nothing of them stands in the SQL`, () => {
  const context = { now: new Date('2026-11-23T12:00:00Z'), origin: 'https://acre.test' };
  const comparable = resources.Property.fields.filter(({ readOnly }) => !readOnly);
  let compiled = 0;
  const faults: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const random = seededRandom(SEED, n);
    const filter = random.percent(50) ? hostileFilter(random) : fittingFilter(random, comparable);
    try {
      const made = compileFilter(parseFilter(filter), { resource: resources.Property, context, media });
      const { sql } = made.compile(compiler);
      compiled += 1;
      if (/drop table|xxxx|O'Hara|pg_sleep/.test(sql)) faults.push(`${n}: ${filter} in ${sql}`);
    } catch (error) {
      if (!(error instanceof ODataError)) faults.push(`${n}: ${filter}: ${String(error)}`);
    }
  }
  expect(faults).toEqual([]);
  // The generator makes what is right as well.
  expect(compiled).toBeGreaterThan(COUNT / 4);
});
