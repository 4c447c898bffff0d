import { resealSecrets } from '#features/payment-settings/commands/reseal-secrets.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run secrets:reseal`: seals what is stored encrypted with the present APP_SECRET; what was sealed with the former one is opened
// by APP_SECRET_PREVIOUS. Ends with 1 when something is left that neither opens.
await runCommand(() =>
  withOperatorContext('secrets:reseal', async (ctx) => {
    const { keySets, authenticators, unreadable } = await resealSecrets(ctx);
    console.log(`Sealed anew: ${keySets} sets of keys of Stripe, ${authenticators} authenticator apps.`);
    for (const what of unreadable) console.error(`Neither secret opens ${what}.`);
    if (unreadable.length === 0) console.log('APP_SECRET_PREVIOUS is no longer needed.');
    return unreadable.length === 0 ? 0 : 1;
  }),
);
