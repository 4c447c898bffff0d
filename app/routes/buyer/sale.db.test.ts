import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import { NAME_WALLET } from '#features/nfts/components/token-wallet.tsx';
import type { Database } from '#platform/db/database.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { action, loader } from './sale.tsx';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const MISTYPED = WALLET.replace('d8dA', 'D8dA');

await describeOnDatabase('the form that names a wallet for a completion token', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(() => db.close());

  function argsOf(body?: URLSearchParams) {
    const ctx = scenario.contextFor(scenario.buyer);
    const context = new RouterContextProvider();
    context.set(requestScope, {
      ctx: {
        ...ctx,
        actor: { ...scenario.buyer, provedAt: ctx.now() },
        config: { ...ctx.config, chain: localChain },
      },
      sessionId: null,
    } as unknown as RequestScope);
    const url = new URL(purchasePaths.buyerSale(saleId), 'http://localhost');
    const request = new Request(url, body && { method: 'POST', body });
    return { request, url, params: { id: saleId }, context } as unknown as Parameters<typeof action>[0];
  }
  const send = (wallet: string) => action(argsOf(new URLSearchParams({ intent: NAME_WALLET, wallet })));
  const page = () => loader(argsOf() as unknown as Parameters<typeof loader>[0]);

  it('says what is wrong beside the field, keeps what was typed, and shows what was saved', async () => {
    expect(await send(MISTYPED)).toMatchObject({
      data: {
        intent: NAME_WALLET,
        ok: false,
        errors: { wallet: 'Please enter a valid wallet address' },
        input: { wallet: MISTYPED },
      },
      init: { status: 422 },
    });
    expect(await page()).toMatchObject({ token: null, goal: { network: 'Local chain', wallet: null } });
    expect(await send(WALLET)).toMatchObject({ status: 303 });
    expect(await page()).toMatchObject({ goal: { wallet: WALLET } });
    expect(await send('')).toMatchObject({ status: 303 });
    expect(await page()).toMatchObject({ goal: { wallet: null } });
  });

  it('is gone after the closing, and then says that it is too late', async () => {
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await page()).toMatchObject({ token: null, goal: null });
    expect(await send(WALLET)).toMatchObject({
      data: {
        ok: false,
        toast: { text: expect.stringContaining('This is no longer possible.') },
        input: { wallet: WALLET },
      },
      init: { status: 409 },
    });
  });
});
