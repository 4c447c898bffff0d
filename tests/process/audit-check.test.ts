import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chainAudit } from '#features/audit/commands/chain-audit.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { openDatabase } from '#platform/db/database.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { startProcess } from '#tests/support/server/process.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await freshDataDir();
  const db = await openDatabase({ dataDir });
  const ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: () => new Date() });
  await inviteSeller(ctx, { name: 'Ines Calloway', email: 'ines@example.test' });
  await chainAudit(ctx);
  await db.close();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function check(...args: string[]): Promise<{ code: number | string; output: string }> {
  const child = startProcess('scripts/audit-check.ts', { DATA_DIR: dataDir }, args);
  const code = await child.end();
  return { code, output: child.output() };
}

it('npm run audit:check prints the head, compares it with a pinned one, and fails when that is not there', async () => {
  const first = await check();
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('The audit log is whole.') });
  const [, head = ''] = /^Head (1:[0-9a-f]{64})$/m.exec(first.output) ?? [];
  expect(await check('--expect', head)).toMatchObject({
    code: 0,
    output: expect.stringContaining('✓ the pinned head is in the chain'),
  });
  expect(await check('--expect', `2:${head.slice(2)}`)).toMatchObject({
    code: 1,
    output: expect.stringContaining('✘ the pinned head is in the chain: position 2'),
  });
  expect(await check('--expect', 'nonsense')).toMatchObject({
    code: 1,
    output: expect.stringContaining('--expect takes POSITION:HASH'),
  });
}, 180_000);
