import { data } from 'react-router';
import { handleAdminsForm } from '#app/actions/admins.actions.ts';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { adminMessages } from '#features/accounts/admin-messages.ts';
import { AddAdminDialog, RemoveAdminDialog } from '#features/accounts/components/admin-dialogs.tsx';
import { AdminTable } from '#features/accounts/components/admin-table.tsx';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/admins';
import { readAdmins } from './admins/read-admins.ts';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { admins, failure, status } = await readAdmins(ctx);
  const asked = url.searchParams.get('do');
  return data(
    {
      admins,
      asksAdd: asked === 'add',
      removes: (asked === 'remove' && admins?.find(({ id }) => id === url.searchParams.get('id'))) || null,
      failure,
    },
    { status },
  );
}

export const action = (args: Route.ActionArgs) => handleAdminsForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('email'),
    toast: (intent) => ({ ...NOT_SAVED, text: failures[intent] ?? NOT_SAVED.text }),
    refusalsLeave: true,
  });

const failures: Readonly<Record<string, string>> = {
  add: adminMessages.addFailed,
  remove: adminMessages.removeFailed,
};

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Manage Admins', hidden: true });

/** Who administers the marketplace. */
export default function ManageAdmins({ loaderData, actionData }: Route.ComponentProps) {
  const { admins, asksAdd, removes, failure } = loaderData;
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <AreaHead
        title="Manage Admins"
        actions={
          <ButtonLink to={adminPaths.admins({ do: 'add' })} preventScrollReset>
            Add Admin
          </ButtonLink>
        }
      />
      <Panel>
        <AdminTable admins={admins} failure={failure} />
      </Panel>
      <AddAdminDialog open={asksAdd} errors={actionData?.errors} email={actionData?.input?.email} />
      <RemoveAdminDialog removes={removes} />
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
