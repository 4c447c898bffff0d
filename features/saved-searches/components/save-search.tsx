import { lazy, type MouseEvent, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#app/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { toast } from '#ui/toast.ts';
import { SIGN_IN_TO_SAVE } from '../model.ts';

const SaveSearchDialog = lazy(() => import('./save-search-dialog.tsx'));

interface Props {
  /** the list's address as it stands */
  query: PropertiesQuery;
  /** the chosen type's name */
  type: string | null;
  signedIn: boolean;
  /** the address asks for the form to be open */
  asked: boolean;
}

/** Keeps what the list is narrowed to. A visitor signs in first and then finds the form open. */
export function SaveSearch({ query, type, signedIn, asked }: Props) {
  const [pressed, setPressed] = useState(false);
  const [wanted, setWanted] = useState(asked);
  const navigate = useNavigate();
  const withForm = paths.properties({ ...query, save: '1' });
  const press = (event: MouseEvent) => {
    if (!signedIn) return toast({ ...SIGN_IN_TO_SAVE, tone: 'info' });
    event.preventDefault();
    setWanted(true);
    setPressed(true);
  };
  const close = () => {
    setPressed(false);
    if (asked) void navigate(paths.properties(query), { replace: true, preventScrollReset: true });
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
      {signedIn && wanted && (
        <Suspense>
          <SaveSearchDialog query={query} type={type} open={pressed || asked} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
