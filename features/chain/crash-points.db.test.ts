import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Chain } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import {
  type CrashInjector,
  crashingDatabase,
  createCrashInjector,
  SimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { workChain } from './commands/work-chain.ts';

/** Between the statements at which the process is killed. */
const DISTANCE = 4;

await describeOnDatabase('a document and a token on their way to the chain', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });

  /** A node whose answers no longer reach a process that was killed. */
  const chainOf = (fuse: CrashInjector): Chain => {
    const dying: Record<string, unknown> = { ...test.chain };
    for (const [name, call] of Object.entries(test.chain))
      if (typeof call === 'function')
        dying[name] = async (...args: unknown[]) => {
          if (fuse.crashed()) throw new SimulatedCrash(name);
          return (call as (...args: unknown[]) => Promise<unknown>)(...args);
        };
    return dying as unknown as Chain;
  };

  it('are there once, whichever statement the process is killed at', async () => {
    const { anchored, minted, system, work, document, token, contract } = scenario;
    await work();
    let minting = 0;
    let survived = false;
    for (let step = 1; !survived; step += DISTANCE) {
      const id = await anchored();
      const { nftId } = await minted();
      minting += 1;
      const fuse = createCrashInjector(step);
      await workChain({ ...system(chainOf(fuse)), db: crashingDatabase(db, fuse) }).catch((error: Error) => {
        if (!fuse.crashed()) throw error;
      });
      survived = !fuse.crashed();
      expect(await work()).toEqual({ open: 0 });
      const at = `killed ${fuse.lastStep()}`;
      expect(await document(id), at).toMatchObject({ status: 'confirmed', failure_reason: null });
      expect(await token(nftId), at).toMatchObject({ status: 'confirmed', token_id: minting });
    }
    expect((await test.chain.contractState(await contract())).totalMinted).toBe(minting);
    const { count } = await db
      .q()
      .selectFrom('audit_log')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('action', 'in', ['document.anchor', 'token.mint'])
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(2 * minting);
    expect(minting).toBeGreaterThan(10);
  }, 120_000);
});
