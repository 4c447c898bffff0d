import { type MouseEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#app/paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { toast } from '#ui/toast.ts';
import { cadenceLabels, MOST_NAME } from '../model.ts';
import { describeQuery, texts } from '../rules.ts';
import { useAnswer } from './use-answer.ts';

interface Props {
  /** the list's address as it stands */
  query: PropertiesQuery;
  /** the chosen type's name */
  type: string | null;
  signedIn: boolean;
  /** the address asks for the form to be open */
  asked: boolean;
}

const cadences = Object.entries(cadenceLabels).map(([value, label]) => ({ value, label }));

/** Keeps what the list is narrowed to. A visitor signs in first and then finds the form open. */
export function SaveSearch({ query, type, signedIn, asked }: Props) {
  const [pressed, setPressed] = useState(false);
  const navigate = useNavigate();
  const form = useId();
  const close = () => {
    setPressed(false);
    if (asked) void navigate(paths.properties(query), { replace: true, preventScrollReset: true });
  };
  const { errors, busy, onSubmit } = useAnswer(close);
  const withForm = paths.properties({ ...query, save: '1' });
  const description = describeQuery(query, type);
  const press = (event: MouseEvent) => {
    if (!signedIn) return toast({ ...texts.signIn, tone: 'info' });
    event.preventDefault();
    setPressed(true);
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
      {signedIn && (
        <Dialog
          open={pressed || asked}
          onClose={close}
          title="Save this search"
          text={description}
          locked={busy}
          actions={
            <>
              <Button variant="outline" onClick={close} disabled={busy}>
                Cancel
              </Button>
              <Button type="submit" form={form} busy={busy}>
                Save search
              </Button>
            </>
          }
        >
          <form
            id={form}
            method="post"
            action={paths.savedSearches()}
            onSubmit={onSubmit}
            className="grid gap-5"
            noValidate
          >
            <input type="hidden" name="form" value="save" />
            <input type="hidden" name="query" value={queryText(query)} />
            <input type="hidden" name="back" value={paths.properties(query)} />
            <TextInput
              key={description}
              label="Name"
              name="name"
              required
              maxLength={MOST_NAME}
              defaultValue={description.slice(0, MOST_NAME)}
              error={errors?.name}
            />
            <Select
              label="Tell me"
              name="cadence"
              options={cadences}
              defaultValue="instant"
              error={errors?.cadence}
            />
          </form>
        </Dialog>
      )}
    </>
  );
}

const queryText = (query: PropertiesQuery): string => paths.properties(query).split('?')[1] ?? '';
