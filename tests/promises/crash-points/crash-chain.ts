import { workChain } from '#features/chain/commands/work-chain.ts';
import type { Chain } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import {
  type CrashInjector,
  crashingDatabase,
  createCrashInjector,
  SimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import { startTestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import type { Report } from '../report.ts';

interface ChainCrashes {
  /** the first statement at which the process is killed, counted from 1 */
  first?: number;
  /** between the statements at which it is killed; every one by default */
  distance?: number;
}

/**
 * Kills the worker of a chain at one statement after another, each time with a document to anchor and a token to make, until it gets through.
 * What the next run ends must be the same as without: both are on the chain, once, and so say the registry and the audit (R5). One
 * trial is one crash.
 */
export async function crashChainWork(
  db: Database,
  { first = 1, distance = 1 }: ChainCrashes = {},
): Promise<Report> {
  const test = await startTestChain();
  try {
    const scenario = await chainScenario(db, test.chain);
    const { anchored, minted, system, work, contract } = scenario;
    await work();
    const findings: string[] = [];
    let runs = 0;
    for (let step = first, survived = false; !survived; step += distance) {
      const [documentId, { nftId }] = [await anchored(), await minted()];
      runs += 1;
      const fuse = createCrashInjector(step);
      const dying = { ...system(chainUntil(fuse, test.chain)), db: crashingDatabase(db, fuse) };
      await workChain(dying).catch((error: Error) => {
        if (!fuse.crashed()) throw error;
      });
      survived = !fuse.crashed();
      const { open } = await work();
      const wrong = await problemsOf(scenario, { documentId, nftId, tokenId: runs });
      if (open > 0) wrong.push(`${open} transactions are open`);
      findings.push(...wrong.map((problem) => `killed ${fuse.lastStep()} (${step}): ${problem}`));
    }
    const { totalMinted } = await test.chain.contractState(await contract());
    if (Number(totalMinted) !== runs) findings.push(`the chain made ${totalMinted} tokens of ${runs}`);
    const audited = await auditRows(db);
    if (audited !== 2 * runs) findings.push(`the audit has ${audited} rows of ${2 * runs}`);
    return { trials: runs - 1, findings };
  } finally {
    await test.stop();
  }
}

/** A node whose answers no longer reach a process that was killed. */
function chainUntil(fuse: CrashInjector, chain: Chain): Chain {
  const dying: Record<string, unknown> = { ...chain };
  for (const [name, call] of Object.entries(chain))
    if (typeof call === 'function')
      dying[name] = async (...args: unknown[]) => {
        if (fuse.crashed()) throw new SimulatedCrash(name);
        return (call as (...args: unknown[]) => Promise<unknown>)(...args);
      };
  return dying as unknown as Chain;
}

async function problemsOf(
  { document, token, onChain }: ChainScenario,
  { documentId, nftId, tokenId }: { documentId: string; nftId: string; tokenId: number },
): Promise<string[]> {
  const [ofDocument, ofToken] = [await document(documentId), await token(nftId)];
  const problems: string[] = [];
  if (ofDocument.status !== 'confirmed' || ofDocument.failure_reason !== null)
    problems.push(`the document is ${ofDocument.status}: ${ofDocument.failure_reason}`);
  if (!(await onChain(documentId))) problems.push('the hash of the document is not on the chain');
  if (ofToken.status !== 'confirmed' || Number(ofToken.token_id) !== tokenId)
    problems.push(`the token is ${ofToken.status}, number ${ofToken.token_id} instead of ${tokenId}`);
  return problems;
}

async function auditRows(db: Database): Promise<number> {
  const { count } = await db
    .q()
    .selectFrom('audit_log')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('action', 'in', ['document.anchor', 'token.mint'])
    .executeTakeFirstOrThrow();
  return Number(count);
}
