import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { changesByRequestsSince, changesSince, logChanges, now } from './change-log.ts';

await describeOnEachDatabase('the log of changes', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await logChanges(db);
  });
  afterAll(() => db.close());

  const changesBy = async (work: () => Promise<unknown>) => {
    const before = await now(db);
    await work();
    return (await changesSince(db, before)).map(({ table, operation }) => `${operation} ${table}`);
  };

  it('has a trigger for every kind of change on every table', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'change_log') order by 1`.execute(db.q());
    const names = tables.map(({ name }) => name).filter((name) => name !== 'public.rate_limits');
    expect(names).toEqual(expect.arrayContaining(['public.users', 'pgboss.job', 'pgboss.queue']));
    for (const name of names)
      expect([name, await eventsNoticed(name)]).toEqual([name, 'DELETE INSERT TRUNCATE UPDATE']);
  });

  it('notices a job that is added', async () => {
    const before = await now(db);
    await enqueue({ db }, defineJob('test.noticed'), {});
    const added = (await changesByRequestsSince(db, before)).filter(({ table }) =>
      /^pgboss\.job/.test(table),
    );
    expect(added.map(({ operation, row }) => [operation, row?.name])).toEqual([['INSERT', 'test.noticed']]);
  });

  it('notices rows that go with others, and a table that is emptied', async () => {
    const { id } = await createUser(db, 'buyer');
    const user = db.q().deleteFrom('users').where('id', '=', id);
    expect(await changesBy(() => user.execute())).toEqual(
      expect.arrayContaining(['DELETE public.users', 'DELETE public.profiles']),
    );
    const truncate = sql`truncate property_amenities`;
    expect(await changesBy(() => truncate.execute(db.q()))).toEqual(['TRUNCATE public.property_amenities']);
  });

  it('notices nothing where nothing changes', async () => {
    const fail = new Error('undone');
    const undone = () =>
      db.tx(async () => {
        await createUser(db, 'buyer');
        throw fail;
      });
    expect(await changesBy(() => expect(undone()).rejects.toBe(fail))).toEqual([]);
    const nobody = db.q().deleteFrom('users').where('email', '=', 'nobody');
    expect(await changesBy(() => nobody.execute())).toEqual([]);
    expect(await changesBy(() => db.q().selectFrom('users').selectAll().execute())).toEqual([]);
  });

  /** Which events of a table the log takes in: by its triggers, since no row would satisfy every table's constraints. */
  async function eventsNoticed(table: string): Promise<string> {
    const { rows } = await sql<{ events: string }>`
      select string_agg(distinct event, ' ' order by event) as events from (
        select unnest(array[
          case when tgtype & 4 > 0 then 'INSERT' end, case when tgtype & 8 > 0 then 'DELETE' end,
          case when tgtype & 16 > 0 then 'UPDATE' end, case when tgtype & 32 > 0 then 'TRUNCATE' end]) as event
        from pg_trigger where tgrelid = ${table}::regclass and tgfoid = 'change_log.add'::regproc and tgenabled <> 'D'
          and tgqual is null
      ) events`.execute(db.q());
    return rows[0]?.events ?? '';
  }
});
