import { parseArgs } from 'node:util';
import { resetFactors } from '#features/factors/commands/reset-factors.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run admin:reset-factors -- EMAIL`: removes the second factors of somebody who has lost them.
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [email] = positionals;
  if (!email || positionals.length > 1) {
    console.error('Usage: npm run admin:reset-factors -- EMAIL');
    return 1;
  }
  return withOperatorContext('admin:reset-factors', async (ctx) => {
    const result = await resetFactors(ctx, { email });
    if (!result.ok) {
      console.error(`There is no account with the address ${email}.`);
      return 1;
    }
    console.log(`The second factors of ${email} were removed (${result.removed}), and all sessions ended.`);
    console.log('The password opens the account now; administrators are then asked to set up a factor.');
    return 0;
  });
});
