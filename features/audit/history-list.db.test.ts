import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, auditAll } from '#platform/audit.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { chainAudit } from './commands/chain-audit.ts';
import { exportHistory } from './commands/export-history.ts';
import { historyFiltersFrom, SYSTEM } from './history-filters.ts';
import { chainState, historyList } from './reads.ts';

await describeOnDatabase('the history', (open) => {
  let db: Database;
  let ruth: UserActor;
  let daniel: UserActor;
  const at = (time: string, actor: UserActor | null = ruth) =>
    testContext(db, {
      actor: actor ?? { kind: 'system', name: 'test' },
      now: () => new Date(`2026-11-${time}Z`),
    });
  beforeAll(async () => {
    db = await open();
    [ruth, daniel] = [await createUser(db, 'admin'), await createUser(db, 'admin')];
    await audit(at('10T10:00:00'), { action: 'listing.approve', entity: 'property', entityId: 'one' });
    await audit(at('10T23:59:59', daniel), {
      action: 'listing.edit',
      entity: 'property',
      entityId: 'two',
      before: { title: 'Old' },
      after: { title: '=HYPERLINK("https://bad.test")' },
    });
    await audit(at('11T00:00:00', null), {
      action: 'sale.release',
      entity: 'property_sale',
      entityId: 'one',
    });
  });
  afterAll(() => db.close());

  const filters = (query: Record<string, string>) => historyFiltersFrom(new URLSearchParams(query));
  const found = async (query: Record<string, string>) =>
    (await historyList(at('12T00:00:00'), { ...filters(query), before: null })).entries.map(
      ({ what }) => what,
    );

  it('is filtered by who, what, record and time', async () => {
    const [release, edit, approve] = ['Released the escrow', 'Edited the listing', 'Approved the listing'];
    expect(await found({})).toEqual([release, edit, approve]);
    expect(await found({ who: daniel.email.toUpperCase() })).toEqual([edit]);
    expect(await found({ who: SYSTEM })).toEqual([release]);
    expect(await found({ who: 'nobody@example.test' })).toEqual([]);
    expect(await found({ action: 'listing.approve' })).toEqual([approve]);
    expect(await found({ record: 'property' })).toEqual([edit, approve]);
    expect(await found({ record: 'property', id: 'one' })).toEqual([approve]);
    expect(await found({ id: 'one' })).toEqual([]);
    expect(await found({ from: '2026-11-11' })).toEqual([release]);
    expect(await found({ to: '2026-11-10' })).toEqual([edit, approve]);
    expect(await found({ from: 'yesterday', to: '2026-13-40' })).toHaveLength(3);
    expect(await found({ who: ruth.email, action: 'listing.approve', from: '2026-11-10' })).toEqual([
      approve,
    ]);
  });

  it('is a file in the same words, safe in a spreadsheet, and records that it was made', async () => {
    const ctx = at('12T00:00:00');
    let text = '';
    for await (const part of await exportHistory(ctx, filters({ record: 'property', who: daniel.email })))
      text += part;
    const [head, line, end] = text.split('\r\n');
    expect(head).toBe('\uFEFFTime (UTC),Who,Role,What,Record,Record Id,Before,After');
    expect(line).toBe(
      `2026-11-10T23:59:59.000Z,${daniel.name},Administrator,Edited the listing,Property,two,Title: Old,"Title: =HYPERLINK(""https://bad.test"")"`,
    );
    expect(end).toBe('');
    const { entries } = await historyList(ctx, { ...filters({ action: 'history.export' }), before: null });
    expect(entries).toMatchObject([{ who: ruth.name, what: 'Exported the history' }]);
    expect(JSON.stringify(entries)).not.toContain(daniel.email);
  });

  it('a file and pages have every row once, in order, also of rows of the same moment', async () => {
    const entries = Array.from({ length: 1005 }, (_, n) => `many ${n}`);
    await auditAll(
      at('13T08:00:00'),
      entries.map((entityId) => ({ action: 'photo.add', entity: 'property', entityId })),
    );
    const ids = Array.from({ length: 1005 }, (_, index) => `many ${1004 - index}`);
    const ctx = at('14T00:00:00');
    let text = '';
    for await (const part of await exportHistory(ctx, filters({ action: 'photo.add' }))) text += part;
    expect([...text.matchAll(/,(many \d+),/g)].map(([, id]) => id)).toEqual(ids);
    const seen: string[] = [];
    for (let before: string | null = null; ; ) {
      const page = await historyList(ctx, { ...filters({ action: 'photo.add' }), before });
      seen.push(...page.entries.map(({ recordId }) => recordId));
      if (page.older === null) break;
      before = page.older;
    }
    expect(seen).toEqual(ids);
  });

  it('says how far it is chained', async () => {
    const ctx = at('14T00:00:00');
    expect(await chainState(ctx)).toMatchObject({ head: null, isBroken: false });
    await chainAudit(at('14T00:00:00', null));
    const { head, waiting } = await chainState(ctx);
    expect(head).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(waiting).toEqual({ count: 0, more: false });
    await audit(ctx, { action: 'photo.add', entity: 'property', entityId: 'late' });
    expect((await chainState(ctx)).waiting.count).toBe(1);
  });
});
