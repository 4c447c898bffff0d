import { useId } from 'react';
import { type PropertiesQuery, paths } from '#app/paths.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { cadenceLabels, MOST_NAME } from '../model.ts';
import { describeQuery } from '../rules.ts';
import { useAnswer } from './use-answer.ts';

interface Props {
  /** the list's address as it stands */
  query: PropertiesQuery;
  /** the chosen type's name */
  type: string | null;
  open: boolean;
  onClose: () => void;
}

const cadences = Object.entries(cadenceLabels).map(([value, label]) => ({ value, label }));

/** Asks for a name and when to be told. Loaded when it is wanted: the public list does not wait for it. */
export default function SaveSearchDialog({ query, type, open, onClose }: Props) {
  const form = useId();
  const { errors, busy, onSubmit } = useAnswer(onClose);
  const description = describeQuery(query, type);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Save this search"
      text={description}
      locked={busy}
      actions={
        <>
          <Button variant="outline" onClick={onClose} disabled={busy}>
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
  );
}

const queryText = (query: PropertiesQuery): string => paths.properties(query).split('?')[1] ?? '';
