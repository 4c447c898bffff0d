import { lazy, type MouseEvent, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { toast } from '#ui/toast.ts';
import { SIGN_IN_TO_SAVE } from '../model.ts';

const SaveSearchDialog = lazy(() => import('./save-search-dialog.tsx'));

interface Props {
  /** the current query of the list */
  query: PropertiesQuery;
  /** the display name of the selected property type */
  type: string | null;
  signedIn: boolean;
  /** the URL opens the dialog */
  openDialog: boolean;
}

/** Saves the current filters of the list. A visitor signs in first and then finds the dialog open. */
export function SaveSearch({ query, type, signedIn, openDialog }: Props) {
  const [pressed, setPressed] = useState(false);
  const [dialogNeeded, setDialogNeeded] = useState(openDialog);
  const navigate = useNavigate();
  const withForm = paths.properties({ ...query, save: '1' });
  const press = (event: MouseEvent) => {
    if (!signedIn) return toast({ ...SIGN_IN_TO_SAVE, tone: 'info' });
    event.preventDefault();
    setDialogNeeded(true);
    setPressed(true);
  };
  const close = () => {
    setPressed(false);
    if (openDialog) void navigate(paths.properties(query), { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <ButtonLink
        variant="outline"
        size="sm"
        to={signedIn ? withForm : paths.buyerLogin({ next: withForm })}
        onClick={press}
      >
        Save this search
      </ButtonLink>
      {signedIn && dialogNeeded && (
        <Suspense>
          <SaveSearchDialog query={query} type={type} open={pressed || openDialog} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
