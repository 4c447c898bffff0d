import { useState } from 'react';
import { useSite } from '#app/site.ts';
import type { PropertyActionData } from '#features/listing-form/components/property-action-data.ts';
import { PropertyFormView } from '#features/listing-form/components/property-form-view.tsx';
import type { FormChoices } from '#features/listing-form/form-mapping.ts';
import type { EditedProperty } from '#features/listing-form/reads.ts';
import { PhotoManager } from '#features/photos/components/photo-manager.tsx';
import type { Photo } from '#features/photos/model.ts';
import { paths } from '#routing/paths.ts';

interface Props {
  /** the address of the page */
  page: string;
  loaded: {
    property: EditedProperty | null;
    draftId: string;
    draftVersion: number;
    photos: Photo[];
    choices: FormChoices;
    year: number;
    tilesUrl: string | null;
  };
  answer: PropertyActionData | undefined;
}

/** The form of the pages that add and edit a property, with its photos. */
export function PropertyFormPage({ page, loaded: { photos, ...loaded }, answer }: Props) {
  const viewer = useSite()?.viewer;
  const { property } = loaded;
  // The draft of another tab, once the first photo is uploaded to it.
  const [draftId, setDraftId] = useState(loaded.draftId);
  // As it was when the page was opened, however often its data is loaded again.
  const [draftVersion] = useState(loaded.draftVersion);
  return (
    <PropertyFormView
      key={property?.id ?? 'new'}
      {...loaded}
      draftId={draftId}
      draftVersion={draftVersion}
      actionData={answer}
      photos={(onUploads) => (
        <PhotoManager
          owner={property ? { propertyId: property.id } : { draftId }}
          photos={photos}
          form={`${viewer?.id} ${property?.id ?? 'new'}`}
          onUploads={onUploads}
          onDraft={setDraftId}
          listed={!property}
          locked={property?.form.status === 'Sold'}
        />
      )}
      signInHref={paths.adminLogin({ next: page })}
    />
  );
}
