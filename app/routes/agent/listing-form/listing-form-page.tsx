import { startTransition, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useSite } from '#app/site.ts';
import type { ListingFormActionData } from '#features/listing-form/components/action-data.ts';
import { FocusNamedField } from '#features/listing-form/components/focus-named-field.tsx';
import { ListingFormView } from '#features/listing-form/components/listing-form.tsx';
import type { ListingForm } from '#features/listing-form/form.ts';
import type { EditedListing, FormChoices, StoredDraft } from '#features/listing-form/form-mapping.ts';
import { PhotoManager } from '#features/photos/components/photo-manager.tsx';
import type { Photo } from '#features/photos/model.ts';
import { paths } from '#routing/paths.ts';
import { previewPaths } from '#routing/preview-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { discardDraft } from './discard-draft.ts';

interface Props {
  page: string;
  loaded: {
    listing: EditedListing | null;
    base: ListingForm;
    draft: StoredDraft | null;
    draftId: string;
    photos: Photo[];
    choices: FormChoices;
    year: number;
    tilesUrl: string | null;
    readOnly: boolean;
  };
  answer: ListingFormActionData | undefined;
}

/** The listing form of the add and edit pages. Discarding the draft resets the form. */
export function ListingFormPage({ page, loaded: { photos, ...loaded }, answer }: Props) {
  const { revalidate } = useRevalidator();
  const viewer = useSite()?.viewer;
  const [discarded, setDiscarded] = useState(0);
  return (
    <>
      <FocusNamedField />
      <ListingFormView
        key={`${loaded.listing?.id} ${discarded}`}
        {...loaded}
        userId={viewer?.id ?? ''}
        actionData={answer}
        photos={(draftId, onUploads, locked) => (
          <PhotoManager
            owner={loaded.listing ? { propertyId: loaded.listing.id } : { draftId }}
            photos={photos}
            form={`${viewer?.id} ${loaded.listing?.id ?? 'new'}`}
            onUploads={onUploads}
            listed={!loaded.listing}
            locked={locked}
          />
        )}
        signInHref={paths.sellerLogin({ next: page })}
        previewHref={loaded.listing ? previewPaths.listing(loaded.listing.id) : previewPaths.draft()}
        listingHref={sellerPaths.editProperty}
        onDiscard={async (draftId) => {
          const succeeded = await discardDraft(draftId);
          // With what was read, which the router shows in a transition: else the form begins with the draft that is gone.
          if (succeeded)
            void revalidate().then(() => startTransition(() => setDiscarded((times) => times + 1)));
          return succeeded;
        }}
      />
    </>
  );
}
