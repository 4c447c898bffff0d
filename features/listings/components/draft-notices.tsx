import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { FormField, ListingForm } from '../listing-form.ts';
import type { DraftKeeper, Kept } from './draft-keeper.ts';

/** The fields by their names on the page. */
export const fieldNames: Record<FormField, string> = {
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
  description: 'Description',
  place: 'Location',
  amenities: 'Amenities',
};

interface Props {
  kept: Kept;
  keeper: DraftKeeper;
  signInHref: string;
  editing: boolean;
  /** the page of the listing that the draft has become in another window */
  listingHref: (propertyId: string) => string;
  choices: { types: readonly { id: string; name: string }[] };
}

/** What the reader has to know of the draft: brought back, changed elsewhere, or not to be saved any more. */
export function DraftNotices({ kept, keeper, signInHref, editing, listingHref, choices }: Props) {
  const names = (fields: readonly FormField[]) => fields.map((name) => fieldNames[name]).join(', ');
  return (
    <>
      {kept.saving === 'signed_out' && (
        <Notice tone="warn" title="You are signed out">
          What you typed is kept in this browser.{' '}
          <a className="link" href={signInHref}>
            Sign in
          </a>{' '}
          to go on.
        </Notice>
      )}
      {kept.saving === 'gone' && (
        <Notice
          tone="warn"
          title={
            editing
              ? 'These changes were saved or discarded in another window'
              : 'This draft was discarded in another window'
          }
        >
          What stands here is kept in this browser.{' '}
          <Button variant="link" size="sm" onClick={() => keeper.beginAnew()}>
            {editing ? 'Go on with what stands here' : 'Keep it as a new draft'}
          </Button>
        </Notice>
      )}
      {kept.saving === 'locked' && (
        <Notice tone="warn" title="This property can no longer be changed">
          What you typed is not saved.
        </Notice>
      )}
      {kept.saving === 'submitted' && kept.submittedAs && (
        <Notice tone="info" title="This property was submitted in another window">
          <a className="link" href={listingHref(kept.submittedAs)}>
            Open it
          </a>{' '}
          or{' '}
          <Button variant="link" size="sm" onClick={() => keeper.beginAnew()}>
            use what stands here for another property
          </Button>
        </Notice>
      )}
      {kept.restored && (
        <Notice tone="info" title="Your unsaved changes are back" onDismiss={() => keeper.dismissNews()} />
      )}
      {kept.taken && (
        <Notice
          tone="info"
          title="This form was changed in another window"
          onDismiss={() => keeper.dismissNews()}
        >
          Taken over from there: {names(kept.taken)}.
        </Notice>
      )}
      {kept.contested.map(({ name, theirs }) => (
        <Notice key={name} tone="warn" title={`${fieldNames[name]} was also changed in another window`}>
          <span className="contested">{wordsOf(name, theirs, choices)}</span>
          <span className="notice-acts">
            <Button variant="outline" size="sm" onClick={() => keeper.settleContest(name, true)}>
              Use that
            </Button>
            <Button variant="ghost" size="sm" onClick={() => keeper.settleContest(name, false)}>
              Keep what stands here
            </Button>
          </span>
        </Notice>
      ))}
    </>
  );
}

function wordsOf(name: FormField, form: ListingForm, { types }: Props['choices']): string {
  if (name === 'amenities') return `${form.amenities.length} chosen there`;
  if (name === 'place')
    return form.place ? 'The pin stands at another place there.' : 'There is no pin there.';
  if (name === 'type') return types.find(({ id }) => id === form.type)?.name ?? 'No type';
  return form[name] === '' ? 'Left blank there.' : `‘${form[name]}’`;
}

/** The quiet line beside the buttons. */
export function SavingLine({ kept }: { kept: Kept }) {
  return (
    <p className="hint saving-line" role="status">
      {kept.saving === 'unreached' ? (
        'The draft cannot be saved at the moment. What you typed is kept in this browser.'
      ) : kept.savedAt && kept.saving !== 'gone' && kept.saving !== 'submitted' ? (
        <>
          Draft saved at <LocalTime of={kept.savedAt} as="until" />
        </>
      ) : null}
    </p>
  );
}
