import './listing-form.css';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Form, useNavigation, useSubmit } from 'react-router';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { toast } from '#ui/toast.ts';
import { type FormErrors, parseListing } from '../form/schema.ts';
import type { EditedListing, FormChoices, StoredDraft } from '../form/stored.ts';
import {
  changedFields,
  type FormField,
  type ListingForm,
  type TextField,
  textFields,
} from '../listing-form.ts';
import { editScope, mayResubmit } from '../rules.ts';
import { AmenityField } from './amenity-field.tsx';
import { DraftNotices, SavingLine } from './draft-notices.tsx';
import type { ListingFormAnswer } from './form-answer.ts';
import { FormFields } from './form-fields.tsx';
import { LocationField } from './location-field.tsx';
import { useDraft } from './use-draft.ts';
import { useLeaveWarning } from './use-leave-warning.tsx';

interface Props {
  userId: string;
  /** the edited listing; null for a new one */
  listing: EditedListing | null;
  /** the id that a draft gets when there is none yet */
  draftId: string;
  draft: StoredDraft | null;
  base: ListingForm;
  choices: FormChoices;
  answer: ListingFormAnswer | undefined;
  /** the year by the server's clock */
  year: number;
  tilesUrl: string | null;
  /** a suspended seller reads alone (B-098) */
  readOnly: boolean;
  /** the photographs, beside the texts; they say when uploads run, and which draft they hang on */
  photos: (draftId: string, onBusy: (busy: boolean) => void, locked: boolean) => ReactNode;
  signInHref: string;
  listingHref: (propertyId: string) => string;
  onDiscard: (draftId: string) => Promise<boolean>;
}

/** The form of a property, for a new one and for an edit (S0 §2, §5; B-103 … B-108). */
export function ListingFormView(props: Props) {
  const { listing, choices, answer, year, base } = props;
  const element = useRef<HTMLFormElement>(null);
  const scope = props.readOnly ? 'nothing' : editScope(listing?.status ?? 'pending');
  const { keeper, kept } = useDraft(
    {
      draftId: props.draftId,
      propertyId: listing?.id ?? null,
      base,
      draft: props.draft,
      typed: answer?.form ?? null,
    },
    { userId: props.userId, form: element, readOnly: scope === 'nothing' },
  );
  const { form } = kept;
  const [left, setLeft] = useState<ReadonlySet<FormField>>(new Set());
  const [addressLeft, setAddressLeft] = useState(0);
  const [uploading, setUploading] = useState(false);
  const [wanted, setWanted] = useState<'submit' | 'resubmit' | null>(null);
  const preparing = useRef(false);
  const [discarding, setDiscarding] = useState(false);
  const refused = useRefusals(answer, form);
  const errors = errorsOf(form, year, scope, left, refused);
  const submit = useSubmit();
  const navigation = useNavigation();
  const sending = navigation.state !== 'idle' && navigation.formMethod === 'POST';
  const changed = changedFields(base, form).length > 0;
  // Signed out, the way leads to the sign-in page and back; this browser keeps the form.
  const unsent = kept.edited && changed && !sending && kept.saving !== 'signed_out';
  const leaveWarning = useLeaveWarning(unsent, uploading);

  useEffect(() => {
    if (!answer) return;
    if (answer.draft) {
      // Nothing that the reader has to see was different: the same once more, on the newer draft.
      if (keeper.meet(answer.draft)) setWanted('submit');
    } else if (answer.toast) toast({ title: answer.toast, tone: 'bad' });
    if (answer.signedOut) keeper.signedOut();
    else keeper.resume();
  }, [answer, keeper]);

  useEffect(() => {
    if (!wanted || uploading || sending || preparing.current) return;
    preparing.current = true;
    void keeper.rest().then(() => {
      preparing.current = false;
      setWanted(null);
      const now = keeper.get();
      const data = new FormData();
      for (const name of textFields) data.set(name, now.form[name]);
      for (const id of now.form.amenities) data.append('amenities', id);
      data.set('draftId', now.draftId);
      data.set('version', String(now.version));
      data.set('base', JSON.stringify(base));
      if (wanted === 'resubmit') data.set('resubmit', '1');
      return submit(data, { method: 'post' });
    });
  }, [wanted, uploading, sending, keeper, base, submit]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending || wanted) return;
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    setLeft(new Set<FormField>(textFields));
    const wrong = errorsOf(form, year, scope, new Set<FormField>(textFields), {});
    if (Object.keys(wrong).length > 0) {
      // After the marks are drawn.
      setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    setWanted(submitter?.name === 'resubmit' ? 'resubmit' : 'submit');
  }

  // Not on what was drawn last: the place of an address comes when something else has been typed meanwhile.
  const edit = (name: FormField, value: string | string[]) =>
    keeper.edit({ ...keeper.get().form, [name]: value });
  const leave = (name: TextField) => {
    setLeft((before) => new Set([...before, name]));
    if (name === 'address') setAddressLeft((times) => times + 1);
  };
  const busy = sending || wanted !== null;
  const again = listing !== null && mayResubmit(listing.status);
  return (
    <Form
      ref={element}
      method="post"
      noValidate
      autoComplete="off"
      className="listing-form"
      onSubmit={onSubmit}
    >
      <input type="hidden" name="draftId" value={kept.draftId} />
      <input type="hidden" name="version" value={kept.version} />
      <input type="hidden" name="base" value={JSON.stringify(base)} />
      <input type="hidden" name="place" value={form.place} />
      {listing && <StandingNotice listing={listing} />}
      <DraftNotices
        kept={kept}
        keeper={keeper}
        signInHref={props.signInHref}
        editing={listing !== null}
        listingHref={props.listingHref}
        choices={choices}
      />
      <div className="form">
        <div>
          <FormFields
            form={form}
            errors={errors}
            types={choices.types}
            scope={scope}
            onType={edit}
            onLeave={leave}
          />
          {choices.amenities.length > 0 && (
            <AmenityField
              amenities={choices.amenities}
              chosen={form.amenities}
              readOnly={scope !== 'all'}
              onChoose={(ids) => edit('amenities', ids)}
            />
          )}
          <LocationField
            place={form.place}
            address={form.address}
            left={addressLeft}
            tilesUrl={props.tilesUrl}
            readOnly={scope !== 'all'}
            onPlace={(place) => edit('place', place)}
          />
        </div>
        <div>{props.photos(kept.draftId, setUploading, scope === 'nothing')}</div>
      </div>
      {scope !== 'nothing' && (
        <div className="submit">
          <SavingLine kept={kept} />
          {wanted && uploading && (
            <p className="hint" role="status">
              Waiting for the photographs…
            </p>
          )}
          {kept.version > 0 && (
            <Button variant="ghost" size="lg" onClick={() => setDiscarding(true)}>
              {listing ? 'Discard changes' : 'Discard draft'}
            </Button>
          )}
          {again && (
            <Button type="submit" name="resubmit" value="1" variant="outline" size="lg" busy={busy}>
              Submit for approval again
            </Button>
          )}
          <Button type="submit" size="lg" busy={busy}>
            {listing ? 'Update Property' : 'Submit Property Listing'}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={discarding}
        onClose={() => setDiscarding(false)}
        title={listing ? 'Discard changes?' : 'Discard draft?'}
        text={
          listing
            ? 'The form shows the property as it stands now.'
            : 'What you typed and the photographs of this draft are deleted.'
        }
        confirmLabel={listing ? 'Discard changes' : 'Discard draft'}
        danger
        onConfirm={() => {
          setDiscarding(false);
          void keeper.rest().then(async () => {
            if (await props.onDiscard(kept.draftId)) keeper.end();
            else toast({ title: 'The draft could not be discarded', tone: 'bad' });
          });
        }}
      />
      {leaveWarning}
    </Form>
  );
}

/** How the listing stands, where that decides what can be edited, and what its reviewers said. */
function StandingNotice({ listing }: { listing: EditedListing }) {
  const { status, reviewNote } = listing;
  if (status === 'Sold')
    return <Notice tone="info" title="This property is sold and can no longer be changed" />;
  if (status === 'escrow')
    return (
      <Notice tone="info" title="This property is in escrow">
        Only its description and photographs can be changed.
      </Notice>
    );
  if (!mayResubmit(status)) return null;
  return (
    <Notice
      tone="warn"
      title={status === 'rejected' ? 'This property was rejected' : 'Changes were requested'}
    >
      {reviewNote}
    </Notice>
  );
}

/** What the server said of fields, until they are changed. */
function useRefusals(answer: ListingFormAnswer | undefined, form: ListingForm): FormErrors {
  const sent = answer?.form;
  if (!answer?.errors || !sent) return {};
  return Object.fromEntries(
    Object.entries(answer.errors).filter(([name]) => form[name as TextField] === sent[name as TextField]),
  );
}

/** The messages to show: of fields that were left or submitted, and what the server said. */
function errorsOf(
  form: ListingForm,
  year: number,
  scope: 'all' | 'description' | 'nothing',
  left: ReadonlySet<FormField>,
  refused: FormErrors,
): FormErrors {
  const parsed = parseListing(form, year);
  const wrong = parsed.ok ? {} : parsed.errors;
  const shown = Object.entries(wrong).filter(
    ([name]) => left.has(name as FormField) && (scope === 'all' || name === 'description'),
  );
  return { ...refused, ...Object.fromEntries(shown) };
}
