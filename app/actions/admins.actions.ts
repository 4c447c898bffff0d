import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { adminMessages } from '#features/accounts/admin-messages.ts';
import { createAdmin } from '#features/accounts/commands/create-admin.ts';
import { removeAdmin } from '#features/accounts/commands/remove-admin.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';

/** Handles the forms of the page of administrators. */
export const handleAdminsForm = (args: ActionArgs) =>
  runAction(args, {
    intents: { add, remove },
    preserve: ['email'],
    messages: ({ intent }) => ({
      failed: intent === 'add' ? adminMessages.addFailed : adminMessages.removeFailed,
    }),
  });

type Answer = Promise<Response | Refusal>;

async function add({ ctx, text }: Submission): Answer {
  const result = await createAdmin(ctx, { email: text('email'), password: text('password') });
  if (result.ok) return redirectWithToast(adminPaths.admins(), adminMessages.added);
  return invalid(result.reason === 'invalid' ? result.errors : { email: adminMessages.addressTaken });
}

async function remove({ ctx, text }: Submission): Answer {
  const result = await removeAdmin(ctx, { adminId: text('id') });
  if (!result.ok)
    return conflict(result.reason === 'gone' ? adminMessages.removedBefore : adminMessages.lastAdmin);
  const self = ctx.actor.kind === 'user' && ctx.actor.id === text('id').toLowerCase();
  const toast = { title: 'Administrator removed', text: `${result.email} is signed out everywhere.` };
  return redirectWithToast(self ? paths.adminLogin() : adminPaths.admins(), toast);
}
