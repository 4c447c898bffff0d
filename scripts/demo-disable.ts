import { disableDemoAccounts } from '#demo/accounts.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run demo:disable`: takes the published password from the demo accounts, so that the market can go on without the demo.
await runCommand(() =>
  withOperatorContext<0>('demo:disable', async ({ db, now }) => {
    const disabled = await disableDemoAccounts(db, now());
    console.log(`${disabled} demo ${disabled === 1 ? 'account' : 'accounts'} disabled.`);
    return 0;
  }),
);
