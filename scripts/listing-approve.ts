import { parseArgs } from 'node:util';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { NotFound } from '#platform/errors.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run listing:approve -- ID`: publishes a listing that is waiting for approval.
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [id] = positionals;
  if (!id || positionals.length > 1) {
    console.error('Usage: npm run listing:approve -- ID');
    return 1;
  }
  return withOperatorContext('listing:approve', async (ctx) => {
    try {
      const result = await approveListing(ctx, { propertyId: id.toLowerCase() });
      if (result.ok) {
        console.log(`The listing is Active now: ${ctx.config.publicUrl}/property/${id.toLowerCase()}`);
        return 0;
      }
      console.error(`The listing ${id} does not wait for approval.`);
      return 1;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      console.error(`There is no listing ${id}.`);
      return 1;
    }
  });
});
