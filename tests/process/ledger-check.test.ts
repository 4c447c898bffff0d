import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { Ctx } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { startProcess } from '#tests/support/server/process.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await freshDataDir();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function change(work: (ctx: Ctx) => Promise<unknown>): Promise<void> {
  const db = await openDatabase({ dataDir });
  const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => new Date() });
  await db.tx(() => work(ctx));
  await db.close();
}

async function check(): Promise<{ code: number | string; output: string }> {
  const child = startProcess('scripts/ledger-check.ts', { DATA_DIR: dataDir });
  const code = await child.end();
  return { code, output: child.output() };
}

// An account whose keys are gone.
const account = { provider: 'stripe', livemode: true, account: 'acct_gone' };

it('npm run ledger:check does not call the books right while an account with postings cannot be compared', async () => {
  await change((ctx) => ensureProviderAccount(ctx, account));
  const unused = await check();
  expect(unused).toMatchObject({ code: 0, output: expect.stringContaining('The books are right.') });
  expect(unused.output).toContain('? stripe (live): ours $0.00, has no postings and could not be compared: ');

  await change(async (ctx) => {
    const providerAccountId = await ensureProviderAccount(ctx, account);
    await postEntry(ctx, {
      key: 'by hand',
      kind: 'L9',
      saleId: null,
      providerAccountId,
      memo: 'By hand',
      postings: [
        { account: 'clearing', cents: 5_000 },
        { account: 'bank', cents: -5_000 },
      ],
    });
  });
  const used = await check();
  expect(used.code, used.output).toBe(1);
  expect(used.output).toContain('✘ stripe (live): ours $50.00, has postings and could not be compared: ');
  expect(used.output).toContain('Not proven: 1 account with postings was not compared');
  expect(used.output).not.toContain('The books are right.');
}, 180_000);
