import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { sellerChoices } from './reads.ts';

await describeOnDatabase('sellers to choose from', (open) => {
  let db: Database;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
  });
  afterAll(() => db.close());

  it('finds sellers by parts of name and address, without archived ones, and marks suspended ones', async () => {
    const name = `Quill${randomUUID().slice(0, 6)}`;
    const address = (last: string) => `${name}.${last}@example.test`.toLowerCase();
    const insert = (last: string, facts: object = {}) =>
      db
        .q()
        .insertInto('agents')
        .values({ name: `${name} ${last}`, email: address(last), ...facts })
        .execute();
    await insert('Marsh');
    await insert('Adler', { status: 'suspended' });
    await insert('Zorn', { archived_at: ctx.now() });
    const found = async (q: string) =>
      (await sellerChoices(ctx, q)).map((one) => [one.name.split(' ')[1], one.suspended]);
    expect(await found(name.toLowerCase())).toEqual([
      ['Adler', true],
      ['Marsh', false],
    ]);
    expect(await found(`${name} mars`)).toEqual([['Marsh', false]]);
    expect(await found(`arsh@example ${name.slice(1)}`)).toEqual([['Marsh', false]]);
    expect(await found(`${name} %`)).toEqual([]);
    expect(await found(`${name} Marsh (${address('Marsh')})`)).toEqual([['Marsh', false]]);
  });
});
