import './listing-form.css';
import './property-form.css';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Form, useNavigation } from 'react-router';
import { FailedUploads, FailedUploadsQuestion } from '#features/photos/components/failed-uploads.tsx';
import { noUploads, type UploadsState } from '#features/photos/model.ts';
import { lacksPhotos } from '#features/photos/rules.ts';
import { entriesOf } from '#platform/typed-keys.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Switch } from '#ui/switch.tsx';
import { toast } from '#ui/toast.ts';
import { textFields } from '../form.ts';
import {
  changedPropertyFields,
  firstStatuses,
  officeFields,
  type PropertyErrors,
  settableStatuses,
} from '../property-form.ts';
import { checkPropertyForm } from '../property-rules.ts';
import { AmenityField } from './amenity-field.tsx';
import { LocationField } from './location-field.tsx';
import { PropertyConflicts } from './property-conflicts.tsx';
import { PropertyFields } from './property-fields.tsx';
import { useLeaveWarning } from './use-leave-warning.tsx';
import { type PropertyFormStart, usePropertyForm } from './use-property-form.ts';

interface Props extends PropertyFormStart {
  draftId: string;
  /** of the draft when the page was opened; 0 for none */
  draftVersion: number;
  /** current year by the server's clock */
  year: number;
  tilesUrl: string | null;
  /** the photo manager, which reports its uploads */
  photos: (onUploads: (uploads: UploadsState) => void) => ReactNode;
  signInHref: string;
}

type Checked = keyof PropertyErrors;
const checkedFields: readonly Checked[] = [...textFields, ...officeFields, 'reason'];

/** The administrators' form of a property, new or existing. */
export function PropertyFormView(props: Props) {
  const { property, choices, actionData, year } = props;
  const state = usePropertyForm(props);
  const { form, base, reason } = state;
  const element = useRef<HTMLFormElement>(null);
  const [touched, setTouched] = useState<ReadonlySet<Checked>>(new Set());
  const [addressBlurs, setAddressBlurs] = useState(0);
  const [survey, setSurvey] = useState(false);
  const [uploads, setUploads] = useState(noUploads);
  const [waiting, setWaiting] = useState(false);
  const [asking, setAsking] = useState(false);
  const withoutFailed = useRef(false);
  const navigation = useNavigation();
  const sending = navigation.state !== 'idle' && navigation.formMethod === 'POST';
  const statuses = property ? settableStatuses : firstStatuses;
  const stored = property ? base : null;
  const statusChanges = property !== null && form.status !== base.status;
  const check = () => {
    const checked = checkPropertyForm({ form, stored, reason, statuses, year });
    return checked.ok ? {} : checked.errors;
  };
  const sent = actionData?.input?.form;
  const serverErrors: PropertyErrors = Object.fromEntries(
    entriesOf(actionData?.errors ?? {}).filter(
      ([name]) => !sent || name === 'survey' || name === 'reason' || form[name] === sent[name],
    ),
  );
  const errors: PropertyErrors = {
    ...serverErrors,
    ...Object.fromEntries(entriesOf(check()).filter(([name]) => touched.has(name))),
  };
  const unsent = state.edited && (survey || reason !== '' || changedPropertyFields(base, form).length > 0);
  const leaveWarning = useLeaveWarning({
    unsent: unsent && !sending,
    uploading: uploads.busy,
    failed: uploads.failed.length > 0 && !sending,
    lost: true,
  });

  useEffect(() => {
    if (actionData?.toast) toast(actionData.toast);
    if (actionData?.errors) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [actionData]);

  // The photos are part of what is saved: it waits for them, and asks when some did not arrive.
  useEffect(() => {
    if (!waiting || uploads.busy) return;
    setWaiting(false);
    element.current?.requestSubmit();
  }, [waiting, uploads]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (sending) return event.preventDefault();
    flushSync(() => setTouched(new Set(checkedFields)));
    if (Object.keys(check()).length > 0) {
      event.preventDefault();
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    } else if (uploads.busy) {
      event.preventDefault();
      setWaiting(true);
    } else if (lacksPhotos(uploads) && !withoutFailed.current) {
      event.preventDefault();
      setAsking(true);
    }
    withoutFailed.current = false;
  }
  const leave = (name: Checked) => {
    setTouched((before) => new Set([...before, name]));
    if (name === 'address') setAddressBlurs((times) => times + 1);
  };
  return (
    <>
      <Form
        ref={element}
        method="post"
        encType="multipart/form-data"
        noValidate
        autoComplete="off"
        className="listing-form"
        aria-busy={sending || undefined}
        onSubmit={onSubmit}
      >
        <input type="hidden" name="draftId" value={props.draftId} />
        <input type="hidden" name="draftVersion" value={props.draftVersion} />
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <input type="hidden" name="place" value={form.place} />
        {actionData?.signedOut && (
          <Notice tone="warn" title="You are signed out">
            What you typed is still here.{' '}
            <a className="link" href={props.signInHref} target="_blank" rel="noreferrer">
              Sign in in another tab
            </a>
            , then save again.
          </Notice>
        )}
        {property?.held && (
          <Notice tone="info" title="A sale holds this property">
            Its price, type, address, seller and status follow the sale and cannot be changed here.
          </Notice>
        )}
        <PropertyConflicts
          conflicting={state.conflicting}
          current={base}
          types={choices.types}
          onTake={(name) => state.decide(name, true)}
          onKeep={(name) => state.decide(name, false)}
        />
        <div className="form">
          <div>
            <PropertyFields
              form={form}
              errors={errors}
              choices={choices}
              statuses={statuses}
              property={property}
              seller={state.seller}
              reason={reason}
              statusChanges={statusChanges}
              onType={state.edit}
              onLeave={leave}
              onSeller={state.setSeller}
              onReason={state.setReason}
              onSurvey={setSurvey}
            />
            <LocationField
              place={form.place}
              address={form.address}
              addressBlurs={addressBlurs}
              tilesUrl={props.tilesUrl}
              readOnly={property?.held ?? false}
              onPlace={(place) => state.edit('place', place)}
            />
          </div>
          <div>
            {props.photos(setUploads)}
            {choices.amenities.length > 0 && (
              <AmenityField
                amenities={choices.amenities}
                selected={form.amenities}
                readOnly={false}
                onSelect={(ids) => state.edit('amenities', ids)}
              />
            )}
            <div className="fs">
              <Switch
                name="featured"
                value="1"
                label="Featured"
                hint="Shown on the home page while it is Active. At most five properties are."
                checked={form.featured === '1'}
                aria-describedby={errors.featured ? 'featured-error' : undefined}
                onChange={(event) => state.edit('featured', event.currentTarget.checked ? '1' : '')}
              />
              {errors.featured && <FieldError id="featured-error">{errors.featured}</FieldError>}
            </div>
          </div>
        </div>
        <FailedUploads failed={uploads.failed} />
        <div className="submit">
          {waiting && (
            <p className="hint" role="status">
              Waiting for the photos…
            </p>
          )}
          <Button type="submit" size="lg" busy={sending || waiting}>
            {property ? 'Update Property' : 'Add Property'}
          </Button>
        </div>
      </Form>
      <FailedUploadsQuestion
        open={asking}
        uploads={uploads}
        verb={property ? 'Update' : 'Submit'}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          withoutFailed.current = true;
          setAsking(false);
          element.current?.requestSubmit();
        }}
      />
      {leaveWarning}
    </>
  );
}
