import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { FormField, ListingForm } from '../form.ts';
import type { AutosaveState, DraftAutosave } from './draft-autosave.ts';

/** Field labels as shown on the page. */
const fieldLabels: Record<FormField, string> = {
  title: 'Property Title',
  price: 'Price',
  type: 'Property Type',
  address: 'Address',
  bedrooms: 'Bedrooms',
  bathrooms: 'Bathrooms',
  squareFeet: 'Square Feet',
  halfBaths: 'Half Bathrooms',
  yearBuilt: 'Year Built',
  lotSquareFeet: 'Lot Size',
  neighborhood: 'Neighborhood',
  description: 'Description',
  place: 'Location',
  amenities: 'Amenities',
};

interface Props {
  state: AutosaveState;
  autosave: DraftAutosave;
  signInHref: string;
  editing: boolean;
  /** link to the listing created from the draft in another window */
  listingHref: (propertyId: string) => string;
  choices: { types: readonly { id: string; name: string }[] };
}

/** Notices about the draft: restored, changed elsewhere, or no longer saved. */
export function DraftNotices({ state, autosave, signInHref, editing, listingHref, choices }: Props) {
  const names = (fields: readonly FormField[]) => fields.map((name) => fieldLabels[name]).join(', ');
  return (
    <>
      {state.status === 'signed_out' && (
        <Notice tone="warn" title="You are signed out">
          What you typed is kept in this browser.{' '}
          <a className="link" href={signInHref}>
            Sign in
          </a>{' '}
          to continue.
        </Notice>
      )}
      {state.status === 'gone' && (
        <Notice
          tone="warn"
          title={
            editing
              ? 'These changes were saved or discarded in another window'
              : 'This draft was discarded in another window'
          }
        >
          What you entered here is kept in this browser.{' '}
          <Button variant="link" size="sm" onClick={() => autosave.startNewDraft()}>
            {editing ? 'Continue with what I entered here' : 'Keep it as a new draft'}
          </Button>
        </Notice>
      )}
      {state.status === 'locked' && (
        <Notice tone="warn" title="This property can no longer be changed">
          What you typed is not saved.
        </Notice>
      )}
      {state.status === 'submitted' && state.submittedPropertyId && (
        <Notice tone="info" title="This property was submitted in another window">
          <a className="link" href={listingHref(state.submittedPropertyId)}>
            Open it
          </a>{' '}
          or{' '}
          <Button variant="link" size="sm" onClick={() => autosave.startNewDraft()}>
            use what you entered here for another property
          </Button>
        </Notice>
      )}
      {state.restored && (
        <Notice
          tone="info"
          title="Your unsaved changes are back"
          onDismiss={() => autosave.dismissNotices()}
        />
      )}
      {state.fromTheirs && (
        <Notice
          tone="info"
          title="This form was changed in another window"
          onDismiss={() => autosave.dismissNotices()}
        >
          Copied from there: {names(state.fromTheirs)}.
        </Notice>
      )}
      {state.conflicts.map(({ name, theirs }) => (
        <Notice key={name} tone="warn" title={`${fieldLabels[name]} was also changed in another window`}>
          <span className="conflict-value">{describeValue(name, theirs, choices)}</span>
          <span className="notice-acts">
            <Button variant="outline" size="sm" onClick={() => autosave.resolveConflict(name, true)}>
              Use that version
            </Button>
            <Button variant="ghost" size="sm" onClick={() => autosave.resolveConflict(name, false)}>
              Keep this version
            </Button>
          </span>
        </Notice>
      ))}
    </>
  );
}

function describeValue(name: FormField, form: ListingForm, { types }: Props['choices']): string {
  if (name === 'amenities') return `${form.amenities.length} chosen there`;
  if (name === 'place')
    return form.place ? 'The pin is in a different place there.' : 'There is no pin there.';
  if (name === 'type') return types.find(({ id }) => id === form.type)?.name ?? 'No type';
  return form[name] === '' ? 'Left blank there.' : `‘${form[name]}’`;
}

/** Save status next to the buttons. */
export function SaveStatus({ state }: { state: AutosaveState }) {
  return (
    <p className="hint saving-line" role="status">
      {state.status === 'unreached' ? (
        'The draft cannot be saved right now. What you typed is kept in this browser.'
      ) : state.savedAt && state.status !== 'gone' && state.status !== 'submitted' ? (
        <>
          Draft saved at <LocalTime of={state.savedAt} as="until" />
        </>
      ) : null}
    </p>
  );
}
