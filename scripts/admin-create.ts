import { parseArgs } from 'node:util';
import { createAdmin } from '#features/accounts/commands/create-admin.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run admin:create -- EMAIL`: creates an administrator and prints a one-time password.
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [email] = positionals;
  if (!email || positionals.length > 1) {
    console.error('Usage: npm run admin:create -- EMAIL');
    return 1;
  }
  return withOperatorContext('admin:create', async (ctx) => {
    const result = await createAdmin(ctx, { email });
    if (result.ok) {
      console.log(`${email} is an administrator now.`);
      console.log(`One-time password: ${result.oneTimePassword}`);
      console.log(`Sign in at ${ctx.config.publicUrl}/admin; a password of your own is asked for there.`);
      return 0;
    }
    const reason =
      result.reason === 'address_taken'
        ? 'there is an account with this address already'
        : Object.values(result.errors).join(', ');
    console.error(`No administrator was made of ${email}: ${reason}.`);
    return 1;
  });
});
