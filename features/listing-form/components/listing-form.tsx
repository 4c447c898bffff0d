import './listing-form.css';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Form, useNavigation, useSubmit } from 'react-router';
import { editScope, mayResubmit } from '#features/listings/rules.ts';
import { FailedUploads, FailedUploadsQuestion } from '#features/photos/components/failed-uploads.tsx';
import { noUploads, type UploadsState } from '#features/photos/model.ts';
import { lacksPhotos } from '#features/photos/rules.ts';
import { entriesOf } from '#platform/typed-keys.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { toast } from '#ui/toast.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { changedFields, type FormField, type ListingForm, type TextField, textFields } from '../form.ts';
import type { EditedListing, FormChoices, StoredDraft } from '../form-mapping.ts';
import { type FormErrors, parseListing } from '../schema.ts';
import type { ListingFormActionData } from './action-data.ts';
import { AmenityField } from './amenity-field.tsx';
import { DraftNotices, SaveStatus } from './draft-notices.tsx';
import { FormFields } from './form-fields.tsx';
import { LocationField } from './location-field.tsx';
import { useDraft } from './use-draft-autosave.ts';
import { useLeaveWarning } from './use-leave-warning.tsx';

interface Props {
  userId: string;
  /** the listing being edited; null for a new one */
  listing: EditedListing | null;
  /** id for a draft that does not exist yet */
  draftId: string;
  draft: StoredDraft | null;
  base: ListingForm;
  choices: FormChoices;
  actionData: ListingFormActionData | undefined;
  /** current year by the server's clock */
  year: number;
  tilesUrl: string | null;
  /** true for a suspended seller */
  readOnly: boolean;
  /** the photo manager; it reports its uploads and gets the draft id */
  photos: (draftId: string, onUploads: (uploads: UploadsState) => void, locked: boolean) => ReactNode;
  signInHref: string;
  /** where the draft is previewed */
  previewHref: string;
  listingHref: (propertyId: string) => string;
  onDiscard: (draftId: string) => Promise<boolean>;
}

type Submission = 'submit' | 'resubmit';

/** The property form, for new listings and edits. */
export function ListingFormView(props: Props) {
  const { listing, choices, actionData, year, base } = props;
  const formRef = useRef<HTMLFormElement>(null);
  const scope = props.readOnly ? 'nothing' : editScope(listing?.status ?? 'pending');
  const { autosave, draftState } = useDraft(
    {
      draftId: props.draftId,
      propertyId: listing?.id ?? null,
      base,
      draft: props.draft,
      typed: actionData?.input ?? null,
    },
    { userId: props.userId, form: formRef, readOnly: scope === 'nothing' },
  );
  const { form } = draftState;
  const [touched, setTouched] = useState<ReadonlySet<FormField>>(new Set());
  const [addressBlurs, setAddressBlurs] = useState(0);
  const [uploads, setUploads] = useState(noUploads);
  const [pendingSubmit, setPendingSubmit] = useState<Submission | null>(null);
  // Submitting was asked for, but photos had failed or been refused by then: the user decides.
  const [unsureSubmit, setUnsureSubmit] = useState<Submission | null>(null);
  const withoutFailed = useRef(false);
  const preparing = useRef(false);
  /** What was handed in is on its way: typing would change nothing anymore. */
  const frozen = useRef<symbol | null>(null);
  const lastSubmit = useRef<Submission>('submit');
  const [discarding, setDiscarding] = useState(false);
  const serverErrors = useServerErrors(useAnswer(actionData), form);
  const errors = visibleErrors(form, year, scope, touched, serverErrors);
  const submit = useSubmit();
  const navigation = useNavigation();
  const sending = navigation.state !== 'idle' && navigation.formMethod === 'POST';
  const changed = changedFields(base, form).length > 0;
  // When signed out, the user goes to the sign-in page and back; the local copy keeps the form.
  const unsent = draftState.edited && changed && !sending && draftState.status !== 'signed_out';
  const leaveWarning = useLeaveWarning({
    unsent,
    uploading: uploads.busy,
    failed: uploads.failed.length > 0 && !sending,
    preview: props.previewHref,
  });

  useEffect(() => {
    if (!actionData) return;
    if (actionData.draft) {
      // Nothing to show was different: submit again on top of the newer draft, in the way that was asked for.
      if (autosave.merge(actionData.draft)) setPendingSubmit(lastSubmit.current);
    } else if (actionData.toast) toast(actionData.toast);
    if (actionData.signedOut) autosave.signedOut();
    else autosave.resume();
  }, [actionData, autosave]);

  useEffect(() => {
    if (!pendingSubmit || uploads.busy || sending || preparing.current) return;
    if (lacksPhotos(uploads) && !withoutFailed.current) {
      setUnsureSubmit(pendingSubmit);
      setPendingSubmit(null);
      return;
    }
    preparing.current = true;
    lastSubmit.current = pendingSubmit;
    void autosave.pause().then(() => {
      preparing.current = false;
      setPendingSubmit(null);
      const attempt = Symbol();
      frozen.current = attempt;
      const now = autosave.get();
      const data = new FormData();
      for (const name of textFields) data.set(name, now.form[name]);
      for (const id of now.form.amenities) data.append('amenities', id);
      data.set('draftId', now.draftId);
      data.set('version', String(now.version));
      data.set('base', JSON.stringify(base));
      if (pendingSubmit === 'resubmit') data.set('resubmit', '1');
      for (const name of ['photosShown', 'photo'])
        for (const value of new FormData(formRef.current ?? undefined).getAll(name)) data.append(name, value);
      return submit(data, { method: 'post' }).finally(() => {
        if (frozen.current === attempt) frozen.current = null;
      });
    });
  }, [pendingSubmit, uploads, sending, autosave, base, submit]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending || pendingSubmit) return;
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    // At once, so that the first invalid field can take the focus.
    flushSync(() => setTouched(new Set<FormField>(textFields)));
    const invalid = visibleErrors(form, year, scope, new Set<FormField>(textFields), {});
    if (Object.keys(invalid).length > 0) {
      formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    withoutFailed.current = false;
    setPendingSubmit(submitter?.name === 'resubmit' ? 'resubmit' : 'submit');
  }

  // Not on the rendered state: geocoding may finish after other fields have changed.
  const edit = (name: FormField, value: string | string[]) => {
    if (!frozen.current) autosave.edit({ ...autosave.get().form, [name]: value });
  };
  const leave = (name: TextField) => {
    setTouched((before) => new Set([...before, name]));
    if (name === 'address') setAddressBlurs((times) => times + 1);
  };
  const busy = sending || pendingSubmit !== null;
  const canResubmit = listing !== null && mayResubmit(listing.status);
  return (
    <>
      <Form
        ref={formRef}
        method="post"
        noValidate
        autoComplete="off"
        className="listing-form"
        aria-busy={sending || undefined}
        onSubmit={onSubmit}
      >
        <input type="hidden" name="draftId" value={draftState.draftId} />
        <input type="hidden" name="version" value={draftState.version} />
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <input type="hidden" name="place" value={form.place} />
        {listing && <StatusNotice listing={listing} />}
        <DraftNotices
          state={draftState}
          autosave={autosave}
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
                selected={form.amenities}
                readOnly={scope !== 'all'}
                onSelect={(ids) => edit('amenities', ids)}
              />
            )}
            <LocationField
              place={form.place}
              address={form.address}
              addressBlurs={addressBlurs}
              tilesUrl={props.tilesUrl}
              readOnly={scope !== 'all'}
              onPlace={(place) => edit('place', place)}
            />
          </div>
          <div>{props.photos(draftState.draftId, setUploads, scope === 'nothing')}</div>
        </div>
        <FailedUploads failed={uploads.failed} />
        {scope !== 'nothing' && (
          <div className="submit">
            <SaveStatus state={draftState} />
            {pendingSubmit && uploads.busy && (
              <p className="hint" role="status">
                Waiting for the photos…
              </p>
            )}
            {draftState.version > 0 && (
              <Button variant="ghost" size="lg" className="discard" onClick={() => setDiscarding(true)}>
                {listing ? 'Discard changes' : 'Discard draft'}
              </Button>
            )}
            {canResubmit && (
              <Button type="submit" name="resubmit" value="1" variant="outline" size="lg" busy={busy}>
                Submit for approval again
              </Button>
            )}
            <Button type="submit" size="lg" busy={busy}>
              {listing ? 'Update Property' : 'Submit Property Listing'}
            </Button>
          </div>
        )}
      </Form>
      <ActionDialog
        open={discarding}
        onClose={() => setDiscarding(false)}
        title={listing ? 'Discard changes?' : 'Discard draft?'}
        text={
          listing
            ? 'The form goes back to the property as it is now.'
            : 'What you typed and the photos of this draft are deleted.'
        }
        confirmLabel={listing ? 'Discard changes' : 'Discard draft'}
        danger
        intent="discard"
        // Discarding starts once the draft is not being saved anymore; a failure is shown in a toast.
        pending={false}
        error={null}
        onConfirm={() => {
          setDiscarding(false);
          void autosave.pause().then(async () => {
            if (await props.onDiscard(draftState.draftId)) autosave.end();
            else {
              autosave.resume();
              toast({ title: 'The draft could not be discarded', tone: 'bad' });
            }
          });
        }}
      />
      <FailedUploadsQuestion
        open={unsureSubmit !== null}
        uploads={uploads}
        verb={listing ? 'Update' : 'Submit'}
        onClose={() => setUnsureSubmit(null)}
        onConfirm={() => {
          withoutFailed.current = true;
          setPendingSubmit(unsureSubmit);
          setUnsureSubmit(null);
        }}
      />
      {leaveWarning}
    </>
  );
}

/** Explains a status that limits editing, and shows the reviewers' note. */
function StatusNotice({ listing }: { listing: EditedListing }) {
  const { status, reviewNote } = listing;
  if (status === 'Sold')
    return <Notice tone="info" title="This property is sold and can no longer be changed" />;
  if (status === 'escrow')
    return (
      <Notice tone="info" title="This property is in escrow">
        Only its description and photos can be changed.
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

/** Server-side field errors, shown until the field changes. */
function useServerErrors(actionData: ListingFormActionData | undefined, form: ListingForm): FormErrors {
  const sent = actionData?.input;
  if (!actionData?.errors || !sent) return {};
  return Object.fromEntries(entriesOf(actionData.errors).filter(([name]) => form[name] === sent[name]));
}

/** Visible errors: of touched or submitted fields, and from the server. */
function visibleErrors(
  form: ListingForm,
  year: number,
  scope: 'all' | 'description' | 'nothing',
  touched: ReadonlySet<FormField>,
  serverErrors: FormErrors,
): FormErrors {
  const parsed = parseListing(form, year);
  const invalid = parsed.ok ? {} : parsed.errors;
  const shown = entriesOf(invalid).filter(
    ([name]) => touched.has(name) && (scope === 'all' || name === 'description'),
  );
  return { ...serverErrors, ...Object.fromEntries(shown) };
}
