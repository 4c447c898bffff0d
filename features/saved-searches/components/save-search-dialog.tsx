import { cutText } from '#platform/cut-text.ts';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { cadenceLabels, MAX_NAME_LENGTH } from '../model.ts';
import { describeQuery } from '../rules.ts';
import { useSavedSearchForm } from './use-saved-search-form.ts';

interface Props {
  /** the current query of the list */
  query: PropertiesQuery;
  /** the display name of the selected property type */
  type: string | null;
  open: boolean;
  onClose: () => void;
}

const cadences = Object.entries(cadenceLabels).map(([value, label]) => ({ value, label }));

/** Asks for a name and a cadence. Loaded lazily, so that the public list does not wait for it. */
export default function SaveSearchDialog({ query, type, open, onClose }: Props) {
  const { errors, refused, busy, send, close } = useSavedSearchForm(onClose);
  const description = describeQuery(query, type);
  return (
    <ActionDialog
      open={open}
      onClose={close}
      title="Save this search"
      text={description}
      confirmLabel="Save search"
      intent="save"
      action={paths.savedSearches()}
      fields={{ query: queryText(query), back: paths.properties(query) }}
      pending={busy}
      error={refused}
      onConfirm={send}
      noValidate
    >
      <div className="grid gap-5">
        <TextInput
          key={description}
          label="Name"
          name="name"
          required
          maxLength={MAX_NAME_LENGTH}
          defaultValue={cutText(description, MAX_NAME_LENGTH)}
          error={errors?.name}
        />
        <Select
          label="Notify me"
          name="cadence"
          options={cadences}
          defaultValue="instant"
          error={errors?.cadence}
        />
      </div>
    </ActionDialog>
  );
}

const queryText = (query: PropertiesQuery): string => paths.properties(query).split('?')[1] ?? '';
