import { parseArgs } from 'node:util';
import { syncSale } from '#app/server/sync-sale.ts';
import { reconcileAccounts } from '#features/reconciliation/commands/reconcile-accounts.ts';
import { openPayments } from '#gateways/payments/open.ts';
import { openPayouts } from '#gateways/payouts/open.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run reconcile [-- --since DATE]`: compares the books with what the payment providers booked, now. Ends with 1 when an
// account could not be reconciled or a new break was found.
await runCommand(async () => {
  const { values } = parseArgs({ options: { since: { type: 'string' } } });
  const since = values.since === undefined ? undefined : new Date(values.since);
  if (since && Number.isNaN(since.getTime())) {
    console.error('Usage: npm run reconcile [-- --since YYYY-MM-DD]');
    return 1;
  }
  return withOperatorContext('reconcile', async (operator) => {
    const ctx = {
      ...operator,
      payments: await openPayments(operator.config, operator.db, { now: operator.now }),
      payouts: await openPayouts(operator.config, operator.db, operator.now),
    };
    const results = await reconcileAccounts(ctx, {
      ...(since && { since }),
      syncSale: (saleId) => syncSale(ctx, saleId),
    });
    for (const { provider, livemode, outcome, failure, ...counts } of results) {
      const account = `${provider} (${livemode ? 'live' : 'test'})`;
      const { matched, resolvedBySync, opened, closed, balance } = counts;
      if (outcome === 'busy') console.log(`… ${account}: another process is at it`);
      if (outcome === 'failed') console.log(`✘ ${account}: ${failure}`);
      if (outcome !== 'finished') continue;
      console.log(
        `${opened > 0 ? '✘' : '✓'} ${account}: ${matched} matched, ${resolvedBySync} mended, breaks: ${opened} new, ${closed} ended` +
          (balance
            ? `; ours ${dollarsAndCents(balance.oursCents)}, theirs ${dollarsAndCents(balance.theirsCents)}, pending ${dollarsAndCents(balance.pendingCents)}`
            : '; the balance kept changing'),
      );
    }
    if (results.length === 0) console.log('There is no provider account yet.');
    return results.some(({ outcome, opened }) => outcome === 'failed' || opened > 0) ? 1 : 0;
  });
});
