import { parseArgs } from 'node:util';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run seller:invite -- EMAIL NAME`: creates a seller record, mails the registration link and prints it.
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [email, ...names] = positionals;
  if (!email || names.length === 0) {
    console.error('Usage: npm run seller:invite -- EMAIL NAME');
    return 1;
  }
  return withOperatorContext('seller:invite', async (ctx) => {
    const result = await inviteSeller(ctx, { email, name: names.join(' ') });
    if (result.ok) {
      console.log(`${email} is invited. The link below is mailed too; it works once and for seven days.`);
      console.log(result.link);
      return 0;
    }
    const reason =
      result.reason === 'invalid'
        ? Object.values(result.errors).join(', ')
        : 'there is a seller or an account with this address already';
    console.error(`${email} was not invited: ${reason}.`);
    return 1;
  });
});
